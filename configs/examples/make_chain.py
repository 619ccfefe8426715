"""Writes a chain of N links on spatial revolute joints as a run file: make_chain.py N > chain_N.json

The links start along the x axis; the hinge axes alternate between z and (0, 1, 1), so that the chain leaves the plane.
"""
import sys

n = int(sys.argv[1])
bodies, joints = [], []
for i in range(1, n + 1):
    bodies.append(f'      "link{i}": {{ "mass": "=m", "inertia": ["=Jx", "=J", "=J"], "position": ["={i - 0.5:g}*l", 0, 0],\n'
                  '        "shape": { "type": "rod", "from": ["=-l/2", 0, 0], "to": ["=l/2", 0, 0], "radius": "=radius" } }')
    before, axis = ("ground" if i == 1 else f"link{i - 1}"), ("[0, 0, 1]" if i % 2 else "[0, 1, 1]")
    joints.append(f'      "hinge{i}": {{ "type": "revolute", "bodies": ["{before}", "link{i}"], '
                  f'"at": ["={i - 1}*l", 0, 0], "axis": {axis} }}')

bodies, joints = ",\n".join(bodies), ",\n".join(joints)
print(f"""// A chain of {n} links on revolute joints, horizontal at the start and released from rest. Written by make_chain.py {n}.
// The equations of motion are solved link by link: their cost grows with the number of links, not with its cube.
{{
  "trammel": 2,
  "title": "Chain of {n} links",
  "parameters": {{
    "l": 0.1, "m": 0.05, "radius": 0.008,
    "Jx": "=m*radius^2/2", "J": "=m*l^2/12"
  }},
  "system": {{
    "type": "spatial",
    "gravity": [0, -9.81, 0],
    "bodies": {{
{bodies}
    }},
    "points": {{
      "tip": {{ "body": "link{n}", "point": ["=l/2", 0, 0] }}
    }},
    "constraints": {{
{joints}
    }}
  }},
  "analysis": {{ "type": "dynamics", "duration": 1 }},
  "formulation": {{ "type": "projection" }},
  "integrator": {{ "type": "dopri5", "rtol": 1e-6, "atol": 1e-8 }},
  "output": {{ "step": 0.02 }}
}}""")

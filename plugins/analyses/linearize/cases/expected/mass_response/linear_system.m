% x' = A x + B u, y = C x + D u in small changes about states of a run; with the package control:
% sys = ss(linear(1).A, linear(1).B, linear(1).C, linear(1).D)
linear(1).t = 0;
linear(1).states = {'mass.x', 'rate of mass.x'};
linear(1).inputs = {'push.force.x', 'push.force.y'};
linear(1).outputs = {'mass.x', 'spring.force'};
linear(1).A = [0, 1;
  -150, -0.75];
linear(1).B = [0, 0;
  0.5, 0];
linear(1).C = [1, 0;
  300, 1.5];
linear(1).D = [0, 0;
  0, 0];

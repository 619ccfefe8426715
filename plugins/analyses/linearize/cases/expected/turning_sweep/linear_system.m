% x' = A x + B u, y = C x + D u in small changes about states of a run; with the package control:
% sys = ss(linear(1).A, linear(1).B, linear(1).C, linear(1).D)
linear(1).t = 0;
linear(1).states = {'puck.x', 'puck.y', 'puck.phi', 'rate of puck.x', 'rate of puck.y', 'rate of puck.phi'};
linear(1).inputs = {'push.force.x', 'push.force.y'};
linear(1).outputs = {'puck.x', 'puck.omega'};
linear(1).A = [0, 1.3, 0, 1, 0, 0;
  -1.3, 0, 0, 0, 1, 0;
  0, 0, 0, 0, 0, 1;
  -150, 0, 0, -0.75, 1.3, 0;
  0, -150, 0, -1.3, -0.75, 0;
  0, 0, -7.142857142857143, 0, 0, -0.2857142857142858];
linear(1).B = [0, 0;
  0, 0;
  0, 0;
  0.5, 0;
  0, 0.5;
  -0.4285714285714286, 0];
linear(1).C = [1, 0, 0, 0, 0, 0;
  0, 0, 0, 0, 0, 1];
linear(1).D = [0, 0;
  0, 0];

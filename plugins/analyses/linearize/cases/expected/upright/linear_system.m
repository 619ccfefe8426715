% x' = A x + B u, y = C x + D u in small changes about states of a run; with the package control:
% sys = ss(linear(1).A, linear(1).B, linear(1).C, linear(1).D)
linear(1).t = 0;
linear(1).states = {'bob.phi', 'rate of bob.phi'};
linear(1).inputs = {'motor.torque'};
linear(1).outputs = {'bob.phi'};
linear(1).A = [0, 1;
  19.384496124031013, -0.07751937984496124];
linear(1).B = [0;
  3.875968992248062];
linear(1).C = [1, 0];
linear(1).D = [0];

% Closes a PID loop around the matrices A, B, C, D that femflex linearise --state-space wrote.
% Octave and MATLAB; no package is needed.
%
%   femflex linearise servo.json --variant open --no-statics --state-space plant.mat \
%       --state-inputs controller --state-outputs pivot/angle
%   octave-cli close_loop.m plant.mat

file = "plant.mat";
if numel (argv ()) > 0
  file = argv (){end};
end
plant = load (file);
A = plant.A; B = plant.B; C = plant.C;
disp (plant.states);

% u = kp e + ki integral(e) + kd (e - f) / T, f' = (e - f) / T, e = -y
kp = 220; ki = 400; kd = 30; T = 0.003;
gain = kp + kd / T;
zero = zeros (1, 2);
loop = [A - gain * B * C, B * ki, -kd / T * B
        -C, zero
        -C / T, 0, -1 / T];
poles = eig (loop);
[~, order] = sort (abs (poles));
printf ("%16.9f %+16.9fi\n", [real(poles(order)), imag(poles(order))]');

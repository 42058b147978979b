// Text of the template of a truck with a tandem.
#include "verbs/template_vehicles.h"

namespace femflex::verbs {

const char* const kTruck6x4 =
    R"json(// A truck with a steered axle and a tandem of two driven axles on walking beams, on a flexible ladder frame, with a sprung cab.
// Its parts are templates of PARTS.json. Nodes of the frame are numbers; the pivot of the tandem is at x = 1.5 m.
{ "femflex": 1, "name": "truck6x4", "units": "m-kg-s", "gravity": [0, 0, -9.81],
  "include": "PARTS.json",
  "parameters": {
    "wheelbase": 4.5, "speed": 20, "frame": 680, "cab": 1000, "engine": 1100, "payload": 14000, "payload_x": 2.6,
    // what the springs carry at rest: moments about the pivot of the tandem, at x = 1.5 m
    "front_weight": "=9.81*(frame*2.5 + cab*5 + engine*4.2 + payload*(payload_x - 1.5))/wheelbase",
    "rear_weight": "=9.81*(frame + cab + engine + payload) - front_weight" },
  "limits": { "wheelbase": [1, 20], "speed": [0, 100], "cab": [1, 1e5], "engine": [1, 1e5], "payload": [1, 1e5] },
  "bodies": {
    "chassis": { "flex": "CHASSIS.fbm", "model": "CHASSIS.fe.h5", "modes": { "enable": "1-20" }, "damping": 0.02,
      "at": [0, 0, 0.91], "velocity": ["=speed", 0, 0],
      "markers": { "rear_left": { "node": 403 }, "rear_right": { "node": 401 },
                   "front_left": { "node": 1303, "at": ["=wheelbase-4.5", 0, 0] }, "front_right": { "node": 1301, "at": ["=wheelbase-4.5", 0, 0] } } } },
  "parts": {
    "front": { "template": "steered_axle", "x": "=1.5+wheelbase", "radius": "=0.538-(front_weight/2+3237)/9.8e5", "seat_left": "chassis/front_left", "seat_right": "chassis/front_right",
      "load": "=front_weight/2", "tyre": "TYRE.tir", "speed": "=speed", "steer": "[driver_steer]", "brake": "[driver_brake]" },
    // half of the torque to each axle of the tandem
    "rear": { "template": "tandem", "x": 1.5, "radius": "=0.538-(rear_weight/8+2880)/9.8e5", "seat_left": "chassis/rear_left", "seat_right": "chassis/rear_right",
      "load": "=rear_weight/2", "tyre": "TYRE.tir", "speed": "=speed", "fore_drive": "0.5*[engine_drive]", "aft_drive": "0.5*[engine_drive]", "brake": "[driver_brake]" },
    // a lane change and back, at the speed
    "driver": { "template": "driver", "on": "chassis", "wheelbase": "=wheelbase", "target": "=speed",
      "path_x": [0, 40, 46, 52, 58, 64, 70, 76, 82, 88, 94, 100, 140, 146, 152, 158, 164, 170, 176, 182, 188, 194, 200, 400],
      "path_y": [0, 0, 0.086, 0.334, 0.721, 1.209, 1.75, 2.291, 2.779, 3.166, 3.414, 3.5, 3.5, 3.414, 3.166, 2.779, 2.291, 1.75, 1.209, 0.721, 0.334, 0.086, 0, 0] },
    "engine": { "template": "engine", "rate": "0.25*([rear_fore_hub_left/angle_rate]+[rear_fore_hub_right/angle_rate]+[rear_aft_hub_left/angle_rate]+[rear_aft_hub_right/angle_rate])", "throttle": "[driver_throttle]" },
    "cab": { "template": "cab_suspension", "mass": "=cab", "inertia": [700, 650, 650, 0, 0, 0], "at": [6.5, 0, 2.0], "speed": "=speed", "front": 7.5, "rear": 6, "height": 1.1,
      "front_left": "chassis/1604", "front_right": "chassis/1602", "rear_left": "chassis/1304", "rear_right": "chassis/1302" },
    "motor": { "template": "mounted", "mass": "=engine", "inertia": [60, 110, 100, 0, 0, 0], "at": [5.7, 0, 1.1], "speed": "=speed", "stiffness": 1e6, "side_stiffness": 1e6, "front": 6.5, "rear": 5, "height": 0.95,
      "front_left": "chassis/1403", "front_right": "chassis/1401", "rear_left": "chassis/1103", "rear_right": "chassis/1101" },
    "load": { "template": "mounted", "mass": "=payload", "inertia": ["=payload*0.8", "=payload*2", "=payload*2.4", 0, 0, 0], "at": ["=payload_x", 0, 1.7], "speed": "=speed", "stiffness": 6e6, "side_stiffness": 6e6, "damping": 3e4, "front": 4.5, "rear": 0.5, "height": 1.05,
      "front_left": "chassis/1004", "front_right": "chassis/1002", "rear_left": "chassis/204", "rear_right": "chassis/202" } },
  "analyses": [ { "type": "dynamic", "end": 12, "step": 2e-3, "output_step": 1e-2 } ],
  "outputs": [ "driver_steer", "driver_path/1", "driver_pedals", "engine_drive", "chassis/position", "chassis/velocity", "chassis/angular_velocity", "chassis/orientation", "front_kingpin_left/angle", "rear_pivot_left/angle", "rear_{fore_hub_left|fore_hub_right|aft_hub_left|aft_hub_right}/angle_rate", "front_tyre_{left|right}/wheel", "rear_fore_outer_{left|right}/wheel", "rear_aft_outer_{left|right}/wheel", "energy", "cab/position/z", "load/position/z" ],
  "variants": {
    "rigid": { "bodies": { "chassis": { "as": "rigid" } } },
    "full": { "bodies": { "chassis": { "as": "full", "modes": null } } },
    // straight on at constant speed: femflex simulate FILE --variant straight --keep-states, then linearise --about
    "straight": { "parts": { "driver": { "path_x": [0, 1000], "path_y": [0, 0] } } },
    // the wheels are turned by a step, without a driver on a path
    "step": { "parts": { "front": { "steer": "0.02*step(t, 2)" } } },
    // steering by a table, without a driver on a path: amplitude at the wheels over time
    "table": { "blocks": { "handwheel": { "type": "table", "input": "t", "x": [0, 2, 2.5, 3, 3.5, 4, 100], "y": [0, 0, 0.03, 0, -0.03, 0, 0] } },
               "parts": { "front": { "steer": "[handwheel]" } } },
    // differentials of the tandem: friction between the shafts of each axle, or shafts that turn as one
    "limited_slip": { "parts": { "rear": { "lock": "300+0.25*abs([engine_drive])" } } },
    "locked": { "joints": { "lock_{fore|aft}": { "type": "gear", "joint_a": "rear_{fore|aft}_hub_left", "joint_b": "rear_{fore|aft}_hub_right", "ratio": -1 } } },
    // full brakes from 2 s on
    "brake": { "parts": { "driver": { "path_x": [0, 1000], "path_y": [0, 0] }, "front": { "brake": "step(t, 2)" }, "rear": { "brake": "step(t, 2)", "fore_drive": "0", "aft_drive": "0" } } },
    // backwards in reverse gear along the line beside it: the driver looks back
    "reverse": { "parameters": { "speed": -3 }, "limits": { "speed": [-10, 0] },
                 "parts": { "driver": { "target": "=-speed", "ahead": -1, "path_x": [-1000, -30, -10, 1000], "path_y": [1, 1, 0, 0] },
                            "rear": { "fore_drive": "-0.5*[engine_drive]", "aft_drive": "-0.5*[engine_drive]" },
                            "engine": { "rate": "-0.25*([rear_fore_hub_left/angle_rate]+[rear_fore_hub_right/angle_rate]+[rear_aft_hub_left/angle_rate]+[rear_aft_hub_right/angle_rate])" } } },
    // with its brakes on, at rest uphill on a slope of 5 %, which gravity has against the level road
    "parked": { "gravity": [-0.489888, 0, -9.797761], "parameters": { "speed": 0 },
                "parts": { "front": { "steer": "0", "brake": "1" }, "rear": { "brake": "1", "fore_drive": "0", "aft_drive": "0" } },
                "analyses": [ { "type": "static" }, { "type": "dynamic", "end": 12, "step": 2e-3, "output_step": 1e-2 } ] } } }
)json";

}  // namespace femflex::verbs

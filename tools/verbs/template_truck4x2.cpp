// Texts of the templates of a truck with two axles and of the same truck on four posts.
#include <string>

#include "verbs/template_vehicles.h"

namespace femflex::verbs {
namespace {

/// What the springs carry, the frame, and the seats of the front axle.
constexpr const char* kFrameOnAxles =
    R"json(    // what the springs carry at rest: moments about the rear axle
    "front_weight": "=9.81*(frame*2 + cab*4.5 + engine*3.9 + payload*(payload_x - 1))/wheelbase",
    "rear_weight": "=9.81*(frame + cab + engine + payload) - front_weight" },
  "limits": { "wheelbase": [1, 20], "speed": [0, 100], "cab": [1, 1e5], "engine": [1, 1e5], "payload": [1, 1e5] },
  "bodies": {
    "chassis": { "flex": "CHASSIS.fbm", "model": "CHASSIS.fe.h5", "modes": { "enable": "1-20" }, "damping": 0.02,
      "at": [0, 0, 0.91], "velocity": ["=speed", 0, 0],
      "markers": { "rear_left": { "node": 303 }, "rear_right": { "node": 301 },
                   "front_left": { "node": 1103, "at": ["=wheelbase-4", 0, 0] }, "front_right": { "node": 1101, "at": ["=wheelbase-4", 0, 0] } } } },
  "parts": {
    "front": { "template": "steered_axle", "x": "=1+wheelbase", "radius": "=0.538-(front_weight/2+3237)/9.8e5", "seat_left": "chassis/front_left", "seat_right": "chassis/front_right",
)json";

/// Cab, motor and payload on the frame.
constexpr const char* kLoads =
    R"json(    "cab": { "template": "mounted", "mass": "=cab", "inertia": [700, 650, 650, 0, 0, 0], "at": [5.5, 0, 2.0], "speed": "=speed", "front": 6, "rear": 5, "height": 1.1,
      "front_left": "chassis/1304", "front_right": "chassis/1302", "rear_left": "chassis/1104", "rear_right": "chassis/1102" },
    "motor": { "template": "mounted", "mass": "=engine", "inertia": [50, 90, 80, 0, 0, 0], "at": [4.9, 0, 1.1], "speed": "=speed", "stiffness": 1e6, "side_stiffness": 1e6, "front": 5.5, "rear": 4.5, "width": 0.8, "height": 0.95,
      "front_left": "chassis/1203", "front_right": "chassis/1201", "rear_left": "chassis/1003", "rear_right": "chassis/1001" },
    "load": { "template": "mounted", "mass": "=payload", "inertia": ["=payload*0.8", "=payload*1.6", "=payload*2", 0, 0, 0], "at": ["=payload_x", 0, 1.7], "speed": "=speed", "stiffness": 4e6, "side_stiffness": 4e6, "damping": 2e4, "front": 3.5, "rear": 0.5, "height": 1.05,
      "front_left": "chassis/804", "front_right": "chassis/802", "rear_left": "chassis/204", "rear_right": "chassis/202" } },
)json";

}  // namespace

std::string truck4x2() {
  return std::string(
             R"json(// A truck with two axles on a flexible ladder frame. Its parts are templates of PARTS.json. Nodes of the frame are
// numbers; its rear axle is at x = 1 m, and the frame's own seat of the front axle at x = 5 m.
{ "femflex": 1, "name": "truck4x2", "units": "m-kg-s", "gravity": [0, 0, -9.81],
  "include": "PARTS.json",
  "parameters": {
    "wheelbase": 4, "speed": 20, "frame": 520, "cab": 1000, "engine": 900, "payload": 7000, "payload_x": 2,
)json") + kFrameOnAxles +
         R"json(      "load": "=front_weight/2", "tyre": "TYRE.tir", "speed": "=speed", "steer": "[driver_steer]", "brake": "[driver_brake]" },
    "rear": { "template": "driven_axle", "x": 1, "radius": "=0.538-(rear_weight/4+2551)/9.8e5", "seat_left": "chassis/rear_left", "seat_right": "chassis/rear_right",
      "load": "=rear_weight/2", "tyre": "TYRE.tir", "speed": "=speed", "drive": "[engine_drive]", "brake": "[driver_brake]" },
    // a lane change and back, at the speed
    "driver": { "template": "driver", "on": "chassis", "wheelbase": "=wheelbase", "target": "=speed",
      "path_x": [0, 40, 46, 52, 58, 64, 70, 76, 82, 88, 94, 100, 140, 146, 152, 158, 164, 170, 176, 182, 188, 194, 200, 400],
      "path_y": [0, 0, 0.086, 0.334, 0.721, 1.209, 1.75, 2.291, 2.779, 3.166, 3.414, 3.5, 3.5, 3.414, 3.166, 2.779, 2.291, 1.75, 1.209, 0.721, 0.334, 0.086, 0, 0] },
    "engine": { "template": "engine", "rate": "0.5*([rear_hub_left/angle_rate]+[rear_hub_right/angle_rate])", "throttle": "[driver_throttle]" },
)json" + kLoads +
         R"json(  "analyses": [ { "type": "dynamic", "end": 12, "step": 2e-3, "output_step": 1e-2 } ],
  "outputs": [ "driver_steer", "driver_path/1", "driver_pedals", "engine_drive", "chassis/position", "chassis/velocity", "chassis/angular_velocity", "chassis/orientation", "front_kingpin_left/angle", "front_tyre_{left|right}/wheel", "rear_outer_{left|right}/wheel", "rear_inner_{left|right}/wheel", "energy", "front_leaf_left", "rear_leaf_left", "cab/position/z", "load/position/z", "motor/position/z" ],
  "variants": {
    "rigid": { "bodies": { "chassis": { "as": "rigid" } } },
    "full": { "bodies": { "chassis": { "as": "full", "modes": null } } },
    // straight on at constant speed: femflex simulate FILE --variant straight --keep-states, then linearise --about
    "straight": { "parts": { "driver": { "path_x": [0, 1000], "path_y": [0, 0] } } },
    // the wheels are turned by a step, without a driver on a path
    "step": { "parts": { "front": { "steer": "0.02*step(t, 2)" } } },
    // steering by a table of the angle at the wheels over time
    "table": { "blocks": { "handwheel": { "type": "table", "input": "t", "x": [0, 2, 2.5, 3, 3.5, 4, 100], "y": [0, 0, 0.03, 0, -0.03, 0, 0] } },
               "parts": { "front": { "steer": "[handwheel]" } } },
    // the differential: friction between its shafts, or shafts that turn as one
    "limited_slip": { "parts": { "rear": { "lock": "300+0.25*abs([engine_drive])" } } },
    "locked": { "joints": { "lock": { "type": "gear", "joint_a": "rear_hub_left", "joint_b": "rear_hub_right", "ratio": -1 } } },
    // full brakes from 2 s on
    "brake": { "parts": { "driver": { "path_x": [0, 1000], "path_y": [0, 0] }, "front": { "brake": "step(t, 2)" }, "rear": { "brake": "step(t, 2)", "drive": "0" } } },
    // backwards in reverse gear along the line beside it: the driver looks back
    "reverse": { "parameters": { "speed": -3 }, "limits": { "speed": [-10, 0] },
                 "parts": { "driver": { "target": "=-speed", "ahead": -1, "path_x": [-1000, -30, -10, 1000], "path_y": [1, 1, 0, 0] }, "rear": { "drive": "-[engine_drive]" },
                            "engine": { "rate": "-0.5*([rear_hub_left/angle_rate]+[rear_hub_right/angle_rate])" } } },
    // with its brakes on, at rest uphill on a slope of 5 %, which gravity has against the level road
    "parked": { "gravity": [-0.489888, 0, -9.797761], "parameters": { "speed": 0 },
                "parts": { "front": { "steer": "0", "brake": "1" }, "rear": { "brake": "1", "drive": "0" } },
                "analyses": [ { "type": "static" }, { "type": "dynamic", "end": 12, "step": 2e-3, "output_step": 1e-2 } ] } } }
)json";
}

std::string four_post() {
  return std::string(
             R"json(// A truck on four posts that lift its wheels in a sweep. The truck is that of truck4x2 with its brakes on; its parts are templates of
// PARTS.json.
{ "femflex": 1, "name": "four-post", "units": "m-kg-s", "gravity": [0, 0, -9.81],
  "include": "PARTS.json",
  "parameters": {
    "wheelbase": 4, "speed": 0, "frame": 520, "cab": 1000, "engine": 900, "payload": 7000, "payload_x": 2,
    // the posts sweep from from_hz by `sweep` Hz a second with the amplitude / frequency [m Hz]; the signs make heave
    // (1, 1, 1), pitch (1, -1, 1), roll (1, 1, -1) or a twist of the frame (1, -1, -1)
    "from_hz": 0.5, "sweep": 0.5, "amplitude": 0.005, "front_lift": 1, "rear_lift": 1, "roll": 1,
)json") + kFrameOnAxles +
         R"json(      "load": "=front_weight/2", "tyre": "TYRE.tir", "speed": "=speed", "steer": "0", "brake": "1" },
    "rear": { "template": "driven_axle", "x": 1, "radius": "=0.538-(rear_weight/4+2551)/9.8e5", "seat_left": "chassis/rear_left", "seat_right": "chassis/rear_right",
      "load": "=rear_weight/2", "tyre": "TYRE.tir", "speed": "=speed", "brake": "1" },
    "post_front_{left|right}": { "template": "post", "x": "=1+wheelbase", "y": "={0.5|-0.5}*2.05", "wheel": "front_wheel_{left|right}", "load": "=front_weight/2+9.81*330", "stiffness": 9.8e5,
      "lift": "front_lift*({1|roll})*amplitude/(from_hz+sweep*t)*sin(2*pi*(from_hz*t+0.5*sweep*t^2))*min(1, t)" },
    "post_rear_{left|right}": { "template": "post", "x": 1, "y": "={0.5|-0.5}*1.85", "wheel": "rear_wheel_{left|right}", "load": "=rear_weight/2+9.81*520", "stiffness": 1.96e6, "damping": 6000,
      "lift": "rear_lift*({1|roll})*amplitude/(from_hz+sweep*t)*sin(2*pi*(from_hz*t+0.5*sweep*t^2))*min(1, t)" },
)json" + kLoads +
         R"json(  // the posts carry the wheels instead of a road
  "forces": { "front_tyre_{left|right}": null, "rear_{outer_left|outer_right|inner_left|inner_right}": null },
  "analyses": [ { "type": "static" }, { "type": "dynamic", "end": 40, "step": 1e-3, "output_step": 1e-2 } ],
  "outputs": [ "post_front_left/position/z", "post_rear_left/position/z", "post_{front|rear}_left_tyre/force/z", "{front|rear}_wheel_left/position/z", "{front|rear}_wheel_left/acceleration/z", "cab/acceleration", "load/acceleration", "chassis/acceleration", "chassis/1103/acceleration", "chassis/303/acceleration", "front_leaf_left", "rear_leaf_left", "chassis/{1103|1101|303|301}/displacement/z", "energy" ],
  "variants": {
    "rigid": { "bodies": { "chassis": { "as": "rigid" } } },
    "full": { "bodies": { "chassis": { "as": "full", "modes": null } } },
    "pitch": { "parameters": { "rear_lift": -1 } },
    "roll": { "parameters": { "roll": -1 } },
    "twist": { "parameters": { "rear_lift": -1, "roll": -1 } } } }
)json";
}

}  // namespace femflex::verbs

// The parts of trucks as templates of system files. `femflex new` writes them next to its trucks.
#include "verbs/template_vehicles.h"

namespace femflex::verbs {

const char* const kVehicleParts =
    R"json(// Parts of trucks as templates. "$" stands for the name of the part, "$wheel_left" for a name of its own, "$track" for
// a parameter. Parameters that are null must be given; "limits" are those of parameters. Axes: x forward, y to the left, z up; z = 0 is the road.
{ "templates": {

  // Leaf springs: the force comes to the edge of its loop over the way "decay"; stiffness times decay must stay below the
  // friction of the leaves, or the loop gives energy instead of taking it.

  // A beam axle on two leaf springs, steered: knuckles on kingpins, a tie rod between their arms, a spring for the steering
  // gear, brakes. Two places of the frame above its pads carry the load.
  "steered_axle": {
    "parameters": {
      "x": null, "radius": 0.51, "track": 2.05, "mass": 320, "knuckle_mass": 60, "wheel_mass": 110, "wheel_inertia": 14,
      "seat_left": null, "seat_right": null, "spring_track": 0.8,
      "load": null, "stiffness": 2.2e5, "leaf_friction": 1200, "decay": 0.004, "damping": 1.2e4, "windup": 8e4, "anti_roll": 1.5e5, "bump_way": 0.09,
      "tyre": null, "tyre_damping": 3000, "road": { "height": 0 }, "speed": 0,
      "steer": "0", "steer_stiffness": 4e4, "steer_damping": 800,
      "brake": "0", "brake_torque": 14000, "brake_stiffness": 1e6 },
    "limits": { "$radius": [0.1, 2], "$track": [0.5, 5], "$mass": [1, 1e5], "$wheel_mass": [1, 1e4], "$wheel_inertia": [0.01, 1e4], "$load": [0, 1e6], "$stiffness": [0, 1e9] },
    "bodies": {
      "$": { "rigid": { "mass": "$mass", "inertia": ["=$mass*$track^2/14", "=0.02*$mass", "=$mass*$track^2/14", 0, 0, 0] },
             "at": ["$x", 0, "$radius"], "velocity": ["$speed", 0, 0],
             "markers": { "pad_{left|right}": { "at": [0, "={0.5|-0.5}*$spring_track", 0.1] } } },
      "$knuckle_{left|right}": { "rigid": { "mass": "$knuckle_mass", "inertia": [1.5, 1.5, 1.5, 0, 0, 0] },
             "at": ["$x", "={0.44|-0.44}*$track", "$radius"], "velocity": ["$speed", 0, 0],
             "markers": { "arm": { "at": [-0.22, "={-0.05|0.05}", 0] } } },
      "$wheel_{left|right}": { "rigid": { "mass": "$wheel_mass", "inertia": ["=0.6*$wheel_inertia", "$wheel_inertia", "=0.6*$wheel_inertia", 0, 0, 0] },
             "at": ["$x", "={0.5|-0.5}*$track", "$radius"], "velocity": ["$speed", 0, 0], "angular_velocity": [0, "=$speed/$radius", 0] } },
    "joints": {
      "$kingpin_{left|right}": { "type": "revolute", "a": "$", "b": "$knuckle_{left|right}", "axis": [-0.05, "={-0.08|0.08}", 1] },
      "$hub_{left|right}": { "type": "revolute", "a": "$knuckle_{left|right}", "b": "$wheel_{left|right}",
             "at": ["$x", "={0.5|-0.5}*$track", "$radius"], "axis": [0, 1, 0] },
      "$tie_rod": { "type": "distance", "a": "$knuckle_left/arm", "b": "$knuckle_right/arm" } },
    "forces": {
      "$leaf_{left|right}": { "type": "leaf-spring", "a": "$/pad_{left|right}", "b": "$seat_{left|right}", "decay": "$decay",
             "loading":   { "x": [-0.3, 0.3], "y": ["=$load-0.3*$stiffness+$leaf_friction", "=$load+0.3*$stiffness+$leaf_friction"] },
             "unloading": { "x": [-0.3, 0.3], "y": ["=$load-0.3*$stiffness-$leaf_friction", "=$load+0.3*$stiffness-$leaf_friction"] } },
      "$guide_{left|right}": { "type": "bushing", "a": "$", "b": "$seat_{left|right}", "at": ["$x", "={0.5|-0.5}*$spring_track", "=$radius+0.1"],
             "stiffness": [4e6, 2e6, 0, "=$anti_roll/2", "$windup", "$windup"], "damping": [8e3, 8e3, 0, 0, 400, 400] },
      "$damper_{left|right}": { "type": "spring-damper", "a": "$/pad_{left|right}", "b": "$seat_{left|right}", "damping": "$damping" },
      "$stop_{left|right}": { "type": "bump-stop", "a": "$/pad_{left|right}", "b": "$seat_{left|right}", "min": "=0.2-$bump_way", "stiffness": 2e6, "damping": 1e4 },
      "$steering": { "type": "torsional-spring", "joint": "$kingpin_left", "stiffness": "$steer_stiffness", "damping": "$steer_damping",
             "torque": "$steer_stiffness*($steer)" },
      "$tyre_{left|right}": { "type": "tyre", "on": "$wheel_{left|right}", "file": "$tyre", "side": "{left|right}", "vertical_damping": "$tyre_damping", "road": "$road" },
      "$brake_{left|right}": { "type": "friction", "joint": "$hub_{left|right}", "model": "lugre", "sliding": "5+$brake_torque*($brake)",
             "stiffness": "$brake_stiffness", "damping": 500 } } },

  // A beam axle on two leaf springs with twin tyres, driven by a torque that a differential shares: open, or with the friction
  // torque "lock" [N m] between its shafts (limited slip).
  "driven_axle": {
    "parameters": {
      "x": null, "radius": 0.51, "track": 1.85, "twin": 0.34, "mass": 620, "wheel_mass": 210, "wheel_inertia": 28,
      "seat_left": null, "seat_right": null, "spring_track": 0.8,
      "load": null, "stiffness": 5e5, "leaf_friction": 3000, "decay": 0.004, "damping": 1.5e4, "windup": 2e5, "anti_roll": 3e5, "bump_way": 0.09,
      "tyre": null, "tyre_damping": 3000, "road": { "height": 0 }, "speed": 0, "drive": "0", "lock": "0", "guide_height": 0.1, "across": 3e6,
      "brake": "0", "brake_torque": 16000, "brake_stiffness": 1e6 },
    "limits": { "$radius": [0.1, 2], "$track": [0.5, 5], "$mass": [1, 1e5], "$wheel_mass": [1, 1e4], "$wheel_inertia": [0.01, 1e4], "$load": [0, 1e6], "$stiffness": [0, 1e9] },
    "bodies": {
      "$": { "rigid": { "mass": "$mass", "inertia": ["=$mass*$track^2/14", "=0.03*$mass", "=$mass*$track^2/14", 0, 0, 0] },
             "at": ["$x", 0, "$radius"], "velocity": ["$speed", 0, 0],
             "markers": { "pad_{left|right}": { "at": [0, "={0.5|-0.5}*$spring_track", 0.1] } } },
      "$wheel_{left|right}": { "rigid": { "mass": "$wheel_mass", "inertia": ["=0.7*$wheel_inertia", "$wheel_inertia", "=0.7*$wheel_inertia", 0, 0, 0] },
             "at": ["$x", "={0.5|-0.5}*$track", "$radius"], "velocity": ["$speed", 0, 0], "angular_velocity": [0, "=$speed/$radius", 0],
             "markers": { "outer": { "at": [0, "={0.5|-0.5}*$twin", 0] }, "inner": { "at": [0, "={-0.5|0.5}*$twin", 0] } } } },
    "joints": {
      "$hub_{left|right}": { "type": "revolute", "a": "$", "b": "$wheel_{left|right}", "at": ["$x", "={0.5|-0.5}*$track", "$radius"], "axis": [0, 1, 0] } },
    "forces": {
      "$leaf_{left|right}": { "type": "leaf-spring", "a": "$/pad_{left|right}", "b": "$seat_{left|right}", "decay": "$decay",
             "loading":   { "x": [-0.3, 0.3], "y": ["=$load-0.3*$stiffness+$leaf_friction", "=$load+0.3*$stiffness+$leaf_friction"] },
             "unloading": { "x": [-0.3, 0.3], "y": ["=$load-0.3*$stiffness-$leaf_friction", "=$load+0.3*$stiffness-$leaf_friction"] } },
      "$guide_{left|right}": { "type": "bushing", "a": "$", "b": "$seat_{left|right}", "at": ["$x", "={0.5|-0.5}*$spring_track", "=$radius+$guide_height"],
             "stiffness": [6e6, "$across", 0, "=$anti_roll/2", "$windup", "$windup"], "damping": [1e4, 1e4, 0, 0, 800, 800] },
      "$damper_{left|right}": { "type": "spring-damper", "a": "$/pad_{left|right}", "b": "$seat_{left|right}", "damping": "$damping" },
      "$stop_{left|right}": { "type": "bump-stop", "a": "$/pad_{left|right}", "b": "$seat_{left|right}", "min": "=0.2-$bump_way", "stiffness": 2e6, "damping": 1e4 },
      "$drive_{left|right}": { "type": "torsional-spring", "joint": "$hub_{left|right}", "torque": "0.5*($drive) {-|+} 0.5*($lock)*tanh(([$hub_left/angle_rate]-[$hub_right/angle_rate])/0.05)" },
      "$outer_{left|right}": { "type": "tyre", "on": "$wheel_{left|right}/outer", "file": "$tyre", "side": "{left|right}", "vertical_damping": "$tyre_damping", "road": "$road" },
      "$inner_{left|right}": { "type": "tyre", "on": "$wheel_{left|right}/inner", "file": "$tyre", "side": "{left|right}", "vertical_damping": "$tyre_damping", "road": "$road" },
      "$brake_{left|right}": { "type": "friction", "joint": "$hub_{left|right}", "model": "lugre", "sliding": "5+$brake_torque*($brake)",
             "stiffness": "$brake_stiffness", "damping": 500 } } },

  // A rigid load on four rubber mounts: cab, engine, payload.
  "mounted": {
    "parameters": { "mass": null, "inertia": null, "at": null, "speed": 0, "stiffness": 3e5, "side_stiffness": 6e5, "damping": 4e3,
      "front": null, "rear": null, "width": 0.8, "height": null, "front_left": null, "front_right": null, "rear_left": null, "rear_right": null },
    "limits": { "$mass": [1e-3, 1e6], "$stiffness": [0, 1e12], "$damping": [0, 1e9] },
    "bodies": { "$": { "rigid": { "mass": "$mass", "inertia": "$inertia" }, "at": "$at", "velocity": ["$speed", 0, 0] } },
    "forces": {
      "$front_mount_{left|right}": { "type": "bushing", "a": "$", "b": "$front_{left|right}", "at": ["$front", "={0.5|-0.5}*$width", "$height"],
             "stiffness": ["$side_stiffness", "$side_stiffness", "$stiffness", 0, 0, 0], "damping": ["$damping", "$damping", "$damping", 0, 0, 0], "preload": [0, 0, "=-0.25*9.81*$mass", 0, 0, 0] },
      "$rear_mount_{left|right}":  { "type": "bushing", "a": "$", "b": "$rear_{left|right}",  "at": ["$rear", "={0.5|-0.5}*$width", "$height"],
             "stiffness": ["$side_stiffness", "$side_stiffness", "$stiffness", 0, 0, 0], "damping": ["$damping", "$damping", "$damping", 0, 0, 0], "preload": [0, 0, "=-0.25*9.81*$mass", 0, 0, 0] } } },

  // A tandem of two driven axles on walking beams that pivot on saddles below one leaf spring a side. Torque rods between the
  // axles and the frame take the torques of drive and brakes. "seat" is above the pivot, "load" what the frame puts on a saddle.
  "tandem": {
    "parameters": {
      "x": null, "spread": 1.35, "radius": 0.51, "seat_left": null, "seat_right": null, "spring_track": 0.8,
      "load": null, "beam_mass": 110, "saddle_mass": 60, "stiffness": 2e6, "leaf_friction": 6000, "decay": 0.001, "damping": 3e4, "anti_roll": 6e5,
      "end_stiffness": 4e6, "rod_stiffness": 2e7, "tyre": null, "road": { "height": 0 }, "speed": 0,
      "fore_drive": "0", "aft_drive": "0", "lock": "0", "brake": "0" },
    "limits": { "$spread": [0.5, 5], "$load": [0, 1e6] },
    "parts": {
      "${fore|aft}": { "template": "driven_axle", "x": "=$x+{0.5|-0.5}*$spread", "radius": "=$radius", "spring_track": "=$spring_track",
        "seat_left": "$beam_left/{fore|aft}", "seat_right": "$beam_right/{fore|aft}", "load": "=0.5*($load+9.81*($beam_mass+$saddle_mass))",
        "stiffness": "=$end_stiffness", "leaf_friction": 2000, "decay": 0.0002, "damping": 1e4, "windup": 0, "anti_roll": 0, "guide_height": -0.15,
        "tyre": "$tyre", "road": "$road", "speed": "=$speed", "drive": "{$fore_drive|$aft_drive}", "lock": "$lock", "brake": "$brake" } },
    "bodies": {
      "$saddle_{left|right}": { "rigid": { "mass": "$saddle_mass", "inertia": [2, 2, 2, 0, 0, 0] }, "at": ["$x", "={0.5|-0.5}*$spring_track", "$radius"], "velocity": ["$speed", 0, 0],
             "markers": { "pad": { "at": [0, 0, 0.1] } } },
      "$beam_{left|right}": { "rigid": { "mass": "$beam_mass", "inertia": ["=0.01*$beam_mass", "=$beam_mass*$spread^2/12", "=$beam_mass*$spread^2/12", 0, 0, 0] },
             "at": ["$x", "={0.5|-0.5}*$spring_track", "$radius"], "velocity": ["$speed", 0, 0],
             "markers": { "fore": { "at": ["=0.5*$spread", 0, 0.3] }, "aft": { "at": ["=-0.5*$spread", 0, 0.3] } } } },
    "joints": {
      "$pivot_{left|right}": { "type": "revolute", "a": "$saddle_{left|right}", "b": "$beam_{left|right}", "at": ["$x", "={0.5|-0.5}*$spring_track", "$radius"], "axis": [0, 1, 0] } },
    "forces": {
      "$leaf_{left|right}": { "type": "leaf-spring", "a": "$saddle_{left|right}/pad", "b": "$seat_{left|right}", "decay": "$decay",
             "loading":   { "x": [-0.3, 0.3], "y": ["=$load-0.3*$stiffness+$leaf_friction", "=$load+0.3*$stiffness+$leaf_friction"] },
             "unloading": { "x": [-0.3, 0.3], "y": ["=$load-0.3*$stiffness-$leaf_friction", "=$load+0.3*$stiffness-$leaf_friction"] } },
      "$guide_{left|right}": { "type": "bushing", "a": "$saddle_{left|right}", "b": "$seat_{left|right}", "at": ["$x", "={0.5|-0.5}*$spring_track", "=$radius+0.1"],
             "stiffness": [1e7, 5e6, 0, "=$anti_roll/2", 4e5, 4e5], "damping": [1e4, 1e4, 0, 400, 800, 800] },
      "$damper_{left|right}": { "type": "spring-damper", "a": "$saddle_{left|right}/pad", "b": "$seat_{left|right}", "damping": "$damping" },
      "$rod_{fore_left|fore_right|aft_left|aft_right}": { "type": "bushing", "a": "${fore|fore|aft|aft}", "b": "$seat_{left|right|left|right}",
             "at": ["=$x+{0.5|0.5|-0.5|-0.5}*$spread", "={0.5|-0.5|0.5|-0.5}*$spring_track", "=$radius+0.1"], "stiffness": ["$rod_stiffness", 0, 0, 0, 0, 0], "damping": [2e4, 0, 0, 0, 0, 0] } } },

  // A cab on coil springs and dampers: hinged guides hold it along and across, a bar against roll.
  "cab_suspension": {
    "parameters": { "mass": null, "inertia": null, "at": null, "speed": 0, "stiffness": 1.7e4, "damping": 1500, "guide": 1e6, "guide_damping": 3e3, "roll_bar": 2e4, "stop_way": 0.05,
      "front": null, "rear": null, "width": 0.8, "height": null, "front_left": null, "front_right": null, "rear_left": null, "rear_right": null },
    "limits": { "$mass": [1e-3, 1e6], "$stiffness": [0, 1e12], "$damping": [0, 1e9] },
    "bodies": { "$": { "rigid": { "mass": "$mass", "inertia": "$inertia" }, "at": "$at", "velocity": ["$speed", 0, 0] } },
    "forces": {
      "$spring_{front_left|front_right|rear_left|rear_right}": { "type": "bushing", "a": "$", "b": "${front_left|front_right|rear_left|rear_right}",
             "at": ["={$front|$front|$rear|$rear}", "={0.5|-0.5|0.5|-0.5}*$width", "$height"], "stiffness": ["$guide", "$guide", "$stiffness", 0, 0, 0],
             "damping": ["$guide_damping", "$guide_damping", "$damping", 0, 0, 0], "preload": [0, 0, "=-0.25*9.81*$mass", 0, 0, 0],
             "curves": { "z": { "x": ["=-2*$stop_way", "=-$stop_way", "=$stop_way", "=2*$stop_way"], "y": ["=-20*$stiffness*$stop_way", 0, 0, "=20*$stiffness*$stop_way"] } } },
      "$roll_bar": { "type": "bushing", "a": "$", "b": "$front_left", "at": ["$front", 0, "$height"], "stiffness": [0, 0, 0, "$roll_bar", 0, 0] } } },

  // A post of a shaker below a wheel that its brake holds: a platform that moves up and down by "lift" [m], a formula, and the
  // tyre as a spring that can lift off.
  "post": {
    "parameters": { "x": null, "y": null, "wheel": null, "lift": "0", "load": null, "stiffness": 9.8e5, "damping": 3000, "side": 4e5 },
    "limits": { "$load": [0, 1e6], "$stiffness": [1, 1e12] },
    "bodies": { "$": { "rigid": { "mass": 50, "inertia": [5, 5, 5, 0, 0, 0] }, "at": ["$x", "$y", 0] } },
    "joints": { "$guide": { "type": "prismatic", "a": "ground", "b": "$", "axis": [0, 0, 1] } },
    "motions": { "$drive": { "joint": "$guide", "displacement": "$lift" } },
    "forces": { "$tyre": { "type": "bushing", "a": "$", "b": "$wheel", "at": ["$x", "$y", 0], "stiffness": ["$side", "$side", 0, 0, 0, 0], "damping": [1000, 1000, "$damping", 0, 0, 0],
             "preload": [0, 0, "=$load", 0, 0, 0], "curves": { "z": { "x": ["=$load/$stiffness-1", "=$load/$stiffness", "=$load/$stiffness+1"], "y": ["=$load-$stiffness", "=$load", "=$load"] } } } } },

  // An axle of a trailer on air springs, guided by two trailing bushings.
  "trailer_axle": {
    "parameters": {
      "x": null, "radius": 0.51, "track": 2.04, "mass": 380, "wheel_mass": 120, "wheel_inertia": 16,
      "seat_left": null, "seat_right": null, "spring_track": 0.8, "load": null, "area": 0.055, "volume": 0.02, "damping": 1.5e4,
      "anti_roll": 6e5, "windup": 2e5, "bump_way": 0.1, "gap": 0.25,
      "tyre": null, "tyre_damping": 3000, "road": { "height": 0 }, "speed": 0, "brake": "0", "brake_torque": 14000, "brake_stiffness": 1e6 },
    "limits": { "$radius": [0.1, 2], "$track": [0.5, 5], "$mass": [1, 1e5], "$wheel_mass": [1, 1e4], "$wheel_inertia": [0.01, 1e4], "$load": [0, 1e6], "$area": [1e-4, 10], "$volume": [1e-5, 10] },
    "bodies": {
      "$": { "rigid": { "mass": "$mass", "inertia": ["=$mass*$track^2/14", "=0.02*$mass", "=$mass*$track^2/14", 0, 0, 0] },
             "at": ["$x", 0, "$radius"], "velocity": ["$speed", 0, 0],
             "markers": { "pad_{left|right}": { "at": [0, "={0.5|-0.5}*$spring_track", 0.1] } } },
      "$wheel_{left|right}": { "rigid": { "mass": "$wheel_mass", "inertia": ["=0.6*$wheel_inertia", "$wheel_inertia", "=0.6*$wheel_inertia", 0, 0, 0] },
             "at": ["$x", "={0.5|-0.5}*$track", "$radius"], "velocity": ["$speed", 0, 0], "angular_velocity": [0, "=$speed/$radius", 0] } },
    "joints": {
      "$hub_{left|right}": { "type": "revolute", "a": "$", "b": "$wheel_{left|right}", "at": ["$x", "={0.5|-0.5}*$track", "$radius"], "axis": [0, 1, 0] } },
    "forces": {
      "$air_{left|right}": { "type": "air-spring", "a": "$/pad_{left|right}", "b": "$seat_{left|right}", "area": "$area", "volume": "$volume", "pressure": "=101325+$load/$area" },
      "$guide_{left|right}": { "type": "bushing", "a": "$", "b": "$seat_{left|right}", "at": ["$x", "={0.5|-0.5}*$spring_track", "=$radius+0.1"],
             "stiffness": [6e6, 3e6, 0, "=$anti_roll/2", "$windup", "$windup"], "damping": [1e4, 1e4, 0, 0, 800, 800] },
      "$damper_{left|right}": { "type": "spring-damper", "a": "$/pad_{left|right}", "b": "$seat_{left|right}", "damping": "$damping" },
      "$stop_{left|right}": { "type": "bump-stop", "a": "$/pad_{left|right}", "b": "$seat_{left|right}", "min": "=$gap-$bump_way", "stiffness": 2e6, "damping": 1e4 },
      "$tyre_{left|right}": { "type": "tyre", "on": "$wheel_{left|right}", "file": "$tyre", "side": "{left|right}", "vertical_damping": "$tyre_damping", "road": "$road" },
      "$brake_{left|right}": { "type": "friction", "joint": "$hub_{left|right}", "model": "lugre", "sliding": "5+$brake_torque*($brake)",
             "stiffness": "$brake_stiffness", "damping": 500 } } },

  // A fifth wheel: a base on the tractor's frame, a plate that pitches on it, and an upper plate of the trailer that yaws on the
  // plate. Roll goes through.
  "fifth_wheel": {
    "parameters": { "x": null, "z": null, "speed": 0, "stiffness": 3e7, "damping": 3e4, "spread": 0.5, "width": 0.8,
      "base_front_left": null, "base_front_right": null, "base_rear_left": null, "base_rear_right": null,
      "upper_front_left": null, "upper_front_right": null, "upper_rear_left": null, "upper_rear_right": null },
    "bodies": { "$": { "rigid": { "mass": 90, "inertia": [10, 10, 20, 0, 0, 0] }, "at": ["$x", 0, "$z"], "velocity": ["$speed", 0, 0] },
      "${plate|upper}": { "rigid": { "mass": "={120|150}", "inertia": [10, 10, 20, 0, 0, 0] }, "at": ["$x", 0, "$z"], "velocity": ["$speed", 0, 0] } },
    "joints": {
      "$pitch": { "type": "revolute", "a": "$", "b": "$plate", "at": ["$x", 0, "$z"], "axis": [0, 1, 0] },
      "$kingpin": { "type": "revolute", "a": "$plate", "b": "$upper", "at": ["$x", 0, "$z"], "axis": [0, 0, 1] } },
    "forces": {
      "$hold_{front_left|front_right|rear_left|rear_right}": { "type": "bushing", "a": "$", "b": "$base_{front_left|front_right|rear_left|rear_right}",
             "at": ["=$x+{0.5|0.5|-0.5|-0.5}*$spread", "={0.5|-0.5|0.5|-0.5}*$width", "=$z-0.1"], "stiffness": ["$stiffness", "$stiffness", "$stiffness", 0, 0, 0], "damping": ["$damping", "$damping", "$damping", 0, 0, 0] },
      "$mount_{front_left|front_right|rear_left|rear_right}": { "type": "bushing", "a": "$upper", "b": "$upper_{front_left|front_right|rear_left|rear_right}",
             "at": ["=$x+{0.5|0.5|-0.5|-0.5}*$spread", "={0.5|-0.5|0.5|-0.5}*$width", "=$z+0.1"], "stiffness": ["$stiffness", "$stiffness", "$stiffness", 0, 0, 0], "damping": ["$damping", "$damping", "$damping", 0, 0, 0] } } },

  // Engine map and gearbox: the torque behind the axle's gear, from the rate of the wheels [rad/s] and the throttle, 0 to 1.
  "engine": {
    "parameters": { "rate": null, "throttle": "0", "final": 2.85, "efficiency": 0.95, "lag": 0.1,
      "rates": [0, 2.9, 3.0, 5.9, 6.0, 11.9, 12.0, 21.9, 22.0, 33.9, 34.0, 200], "ratios": [9, 9, 6, 6, 3.5, 3.5, 2.2, 2.2, 1.4, 1.4, 1, 1],
      "rpm": [0, 600, 1000, 1400, 1800, 2200, 2500], "throttles": [0, 0.5, 1],
      "torques": [[0, 100, 200], [0, 500, 800], [-60, 700, 1400], [-90, 700, 1450], [-120, 600, 1250], [-150, 450, 950], [-180, -180, -180]] },
    "limits": { "$final": [0.01, 100], "$efficiency": [0, 1], "$lag": [0.001, 10] },
    "blocks": {
      "$ratio":  { "type": "table", "input": "$rate", "x": "$rates", "y": "$ratios" },
      "$speed":  { "type": "expression", "input": "($rate)*[$ratio]*$final*30/pi", "unit": "1/min" },
      "$torque": { "type": "table", "inputs": ["[$speed]", "$throttle"], "x": "$rpm", "y": "$throttles", "z": "$torques", "unit": "N m" },
      "$drive":  { "type": "lag", "input": "[$torque]*[$ratio]*$final*$efficiency", "time": "$lag", "unit": "N m" } } },

  // A driver who follows a path at a speed: steers towards the point of the path that lies a preview time ahead, and works the
  // throttle and the brake. "closed" joins the ends of the path; with "ahead" -1 he looks back, to drive in reverse.
  "driver": {
    "parameters": { "on": null, "wheelbase": null, "target": null, "path_x": [0, 1000], "path_y": [0, 0], "closed": false, "ahead": 1, "preview_time": 0.8, "least_preview": 5, "limit": 0.5,
      "reaction": 0.08, "proportional": 0.3, "integral": 0.05 },
    "limits": { "$wheelbase": [0.1, 50], "$preview_time": [0, 20], "$least_preview": [0.1, 200], "$limit": [0, 1.5], "$reaction": [0.001, 5], "$ahead": { "one_of": [-1, 1] } },
    "blocks": {
      "$speed":    { "type": "expression", "input": "sqrt([$on/velocity/x]^2 + [$on/velocity/y]^2)", "unit": "m/s" },
      "$preview":  { "type": "expression", "input": "$ahead*($least_preview + $preview_time*[$speed])", "unit": "m" },
      "$path":     { "type": "path", "on": "$on", "preview": "[$preview]", "x": "$path_x", "y": "$path_y", "closed": "$closed" },
      "$steer":    { "type": "lag", "input": "max(-$limit, min($limit, 2*$wheelbase*[$path/1]/[$preview]^2))", "time": "$reaction", "unit": "rad" },
      "$pedals":   { "type": "pid", "input": "($target) - [$speed]", "proportional": "$proportional", "integral": "$integral", "min": -1, "max": 1 },
      "$throttle": { "type": "expression", "input": "max(0, [$pedals])" },
      "$brake":    { "type": "expression", "input": "max(0, -[$pedals])" } } }
} }
)json";

}  // namespace femflex::verbs

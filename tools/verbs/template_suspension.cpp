// Texts of the templates of leaf springs as mechanisms; examples/friction contains the same texts
// as files.
#include "verbs/template_suspension.h"

namespace femflex::verbs {

const char* const kThreeLinkLeaf =
    R"json({ // A leaf spring as three links [SAE HS-788]: a stiff middle part on the axle, and for each arm a link of three
  // quarters of its length on a torsional spring, with the friction of the leaves. The front eye turns on the
  // frame, the rear eye hangs in a shackle. Arms reach from the seat to the eyes; rates and friction are those
  // at the axle. Its own system: include it, or copy the members and rename "ground" to your frame.
  "femflex": 1,
  "name": "three-link-leaf",
  "units": "m-kg-s",
  "gravity": [0, 0, -9.81],
  "parameters": {
    "rate": 2e5, "friction": 1500,                           // [N/m], half the width of the loop [N]
    "front": 0.55, "rear": 0.55, "seat": 0.05, "rise": 0.06,  // arms, half the clamp, height of the eyes [m]
    "shackle": 0.1, "leaf_mass": 20, "load": 2000,
    // each arm's share of the rate goes with the cube of the other arm: both have one section
    "rate_front": "=rate*rear^3/(front^3+rear^3)", "rate_rear": "=rate*front^3/(front^3+rear^3)",
    "reach_front": "=0.75*front", "reach_rear": "=0.75*rear" },
  "bodies": {
    "axle": { "rigid": { "mass": 100, "inertia": [20, 2, 20, 0, 0, 0] }, "at": [0, 0, 0] },
    "arm_{front|rear}": { "rigid": { "mass": "=leaf_mass/3", "inertia": [0.01, "=leaf_mass/36*reach_{front|rear}^2", "=leaf_mass/36*reach_{front|rear}^2", 0, 0, 0] },
                          "at": ["={1|-1}*(seat+0.25*{front|rear}+0.5*reach_{front|rear})", 0, "=rise/2"] },
    "shackle": { "rigid": { "mass": 1, "inertia": [0.002, 0.002, 0.001, 0, 0, 0] }, "at": ["=-seat-rear", 0, "=rise+shackle/2"] } },
  "joints": {
    // an angle of a hinge is 0 in the free spring and grows while the spring is pressed flat
    "hinge_{front|rear}": { "type": "revolute", "a": "axle", "b": "arm_{front|rear}", "at": ["={1|-1}*(seat+0.25*{front|rear})", 0, 0], "axis": [0, "={1|-1}", 0] },
    "eye": { "type": "revolute", "a": "ground", "b": "arm_front", "at": ["=seat+front", 0, "=rise"], "axis": [0, 1, 0] },
    "rear_eye": { "type": "revolute", "a": "arm_rear", "b": "shackle", "at": ["=-seat-rear", 0, "=rise"], "axis": [0, 1, 0] },
    "pivot": { "type": "revolute", "a": "ground", "b": "shackle", "at": ["=-seat-rear", 0, "=rise+shackle"], "axis": [0, 1, 0] },
    "upright": { "type": "orientation", "a": "ground", "b": "axle" } },
  "forces": {
    "wheels": { "type": "force", "on": "axle", "value": [0, 0, "=load*9.81"] },
    "leaves_{front|rear}": { "type": "torsional-spring", "joint": "hinge_{front|rear}", "stiffness": "=rate_{front|rear}*reach_{front|rear}^2" },
    "rub_{front|rear}": { "type": "friction", "joint": "hinge_{front|rear}", "model": "dahl",
                          "sliding": "=friction*rate_{front|rear}/rate*reach_{front|rear}",
                          "stiffness": "=10*rate_{front|rear}*reach_{front|rear}^2" } },
  "outputs": ["axle/position", "axle/velocity/z", "hinge_front/angle", "hinge_rear/angle", "eye/reaction", "pivot/reaction", "leaves_front/value", "energy"],
  "analyses": [ { "type": "static" }, { "type": "dynamic", "end": 2, "step": 1e-3, "output_step": 0.01 } ],
  // femflex simulate FILE --variant loop: the axle is moved to and fro; its force is "move/force"
  "variants": { "loop": {
    "gravity": [0, 0, 0], "parameters": { "load": 0 },
    "motions": { "move": { "on": "axle", "z": "0.06*sin(pi*t/10)^2" } },
    "outputs": ["axle/position/z", "move/force", "energy"],
    "analyses": [ { "type": "dynamic", "end": 10, "step": 5e-3, "output_step": 0.02 } ] } }
}
)json";

const char* const kBeamLeaf =
    R"json({ // A leaf spring of three leaves as chains of beams that rub on each other: each leaf is cut into stiff pieces
  // on hinges with the bending stiffness E I / h of a piece (2 E I / h at the clamp), and the ends of a lower leaf
  // touch the leaf above. A half model in the plane: the axle is moved, the main leaf hangs in eye and shackle.
  "femflex": 1,
  "name": "beam-leaf",
  "units": "m-kg-s",
  "planar": true,
  "gravity": [0, 0, 0],
  "parameters": {
    "E": 2.06e11, "density": 7850, "width": 0.07, "thickness": 0.012,
    "main": 0.60, "second": 0.45, "third": 0.30,  // half lengths of the leaves
    "friction": 0.2, "contact": 2e7, "rub": 1e-3,  // between leaves; speed at which they rub fully [m/s]
    "EI": "=E*width*thickness^3/12", "section": "=density*width*thickness",
    "h_main": "=main/6", "h_second": "=second/5", "h_third": "=third/4" },
  "bodies": {
    "axle": { "rigid": { "mass": 50, "inertia": 1 } },
    "main_{f1|f2|f3|f4|f5|f6|r1|r2|r3|r4|r5|r6}": { "rigid": { "mass": "=section*h_main", "inertia": "=section*h_main^3/12" },
      "at": ["={0.5|1.5|2.5|3.5|4.5|5.5|-0.5|-1.5|-2.5|-3.5|-4.5|-5.5}*h_main", "=-0*thickness", 0],
      "markers": { "near": { "at": ["={-0.5|-0.5|-0.5|-0.5|-0.5|-0.5|0.5|0.5|0.5|0.5|0.5|0.5}*h_main", 0, 0] }, "far": { "at": ["={0.5|0.5|0.5|0.5|0.5|0.5|-0.5|-0.5|-0.5|-0.5|-0.5|-0.5}*h_main", 0, 0] } } },
    "second_{f1|f2|f3|f4|f5|r1|r2|r3|r4|r5}": { "rigid": { "mass": "=section*h_second", "inertia": "=section*h_second^3/12" },
      "at": ["={0.5|1.5|2.5|3.5|4.5|-0.5|-1.5|-2.5|-3.5|-4.5}*h_second", "=-1*thickness", 0],
      "markers": { "near": { "at": ["={-0.5|-0.5|-0.5|-0.5|-0.5|0.5|0.5|0.5|0.5|0.5}*h_second", 0, 0] }, "far": { "at": ["={0.5|0.5|0.5|0.5|0.5|-0.5|-0.5|-0.5|-0.5|-0.5}*h_second", 0, 0] } } },
    "third_{f1|f2|f3|f4|r1|r2|r3|r4}": { "rigid": { "mass": "=section*h_third", "inertia": "=section*h_third^3/12" },
      "at": ["={0.5|1.5|2.5|3.5|-0.5|-1.5|-2.5|-3.5}*h_third", "=-2*thickness", 0],
      "markers": { "near": { "at": ["={-0.5|-0.5|-0.5|-0.5|0.5|0.5|0.5|0.5}*h_third", 0, 0] }, "far": { "at": ["={0.5|0.5|0.5|0.5|-0.5|-0.5|-0.5|-0.5}*h_third", 0, 0] } } },
    "shackle": { "rigid": { "mass": 0.5, "inertia": 5e-4 }, "at": ["=-main", 0.04, 0] } },
  "joints": {
    "upright": { "type": "orientation", "a": "ground", "b": "axle" },
    "eye": { "type": "revolute", "a": "ground", "b": "main_f6", "at": ["=main", 0, 0], "axis": [0, 0, 1] },
    "rear_eye": { "type": "revolute", "a": "main_r6", "b": "shackle", "at": ["=-main", 0, 0], "axis": [0, 0, 1] },
    "pivot": { "type": "revolute", "a": "ground", "b": "shackle", "at": ["=-main", 0.08, 0], "axis": [0, 0, 1] },
    "main_hinge_{f1|f2|f3|f4|f5|f6|r1|r2|r3|r4|r5|r6}": { "type": "revolute", "a": "{axle|main_f1|main_f2|main_f3|main_f4|main_f5|axle|main_r1|main_r2|main_r3|main_r4|main_r5}", "b": "main_{f1|f2|f3|f4|f5|f6|r1|r2|r3|r4|r5|r6}", "at": ["={0|1|2|3|4|5|0|-1|-2|-3|-4|-5}*h_main", "=-0*thickness", 0], "axis": [0, 0, 1] },
    "second_hinge_{f1|f2|f3|f4|f5|r1|r2|r3|r4|r5}": { "type": "revolute", "a": "{axle|second_f1|second_f2|second_f3|second_f4|axle|second_r1|second_r2|second_r3|second_r4}", "b": "second_{f1|f2|f3|f4|f5|r1|r2|r3|r4|r5}", "at": ["={0|1|2|3|4|0|-1|-2|-3|-4}*h_second", "=-1*thickness", 0], "axis": [0, 0, 1] },
    "third_hinge_{f1|f2|f3|f4|r1|r2|r3|r4}": { "type": "revolute", "a": "{axle|third_f1|third_f2|third_f3|axle|third_r1|third_r2|third_r3}", "b": "third_{f1|f2|f3|f4|r1|r2|r3|r4}", "at": ["={0|1|2|3|0|-1|-2|-3}*h_third", "=-2*thickness", 0], "axis": [0, 0, 1] } },
  "forces": {
    "main_bend_{f1|f2|f3|f4|f5|f6|r1|r2|r3|r4|r5|r6}": { "type": "torsional-spring", "joint": "main_hinge_{f1|f2|f3|f4|f5|f6|r1|r2|r3|r4|r5|r6}", "stiffness": "={2|1|1|1|1|1|2|1|1|1|1|1}*EI/h_main" },
    "second_bend_{f1|f2|f3|f4|f5|r1|r2|r3|r4|r5}": { "type": "torsional-spring", "joint": "second_hinge_{f1|f2|f3|f4|f5|r1|r2|r3|r4|r5}", "stiffness": "={2|1|1|1|1|2|1|1|1|1}*EI/h_second" },
    "third_bend_{f1|f2|f3|f4|r1|r2|r3|r4}": { "type": "torsional-spring", "joint": "third_hinge_{f1|f2|f3|f4|r1|r2|r3|r4}", "stiffness": "={2|1|1|1|2|1|1|1}*EI/h_third" },
    "second_end_{f|r}": { "type": "contact", "on": "second_{f5|r5}/far", "radius": "=thickness", "up": [0, -1, 0],
      "path": ["main_{f1|r1}/near", "main_{f2|r2}/near", "main_{f3|r3}/near", "main_{f4|r4}/near", "main_{f5|r5}/near", "main_{f6|r6}/near", "main_{f6|r6}/far"],
      "stiffness": "=contact", "damping": 2e3, "friction": { "sliding": "=friction", "transition_velocity": "=rub" } },
    "third_end_{f|r}": { "type": "contact", "on": "third_{f4|r4}/far", "radius": "=thickness", "up": [0, -1, 0],
      "path": ["second_{f1|r1}/near", "second_{f2|r2}/near", "second_{f3|r3}/near", "second_{f4|r4}/near", "second_{f5|r5}/near", "second_{f5|r5}/far"],
      "stiffness": "=contact", "damping": 2e3, "friction": { "sliding": "=friction", "transition_velocity": "=rub" } } },
  // up to load the spring: the axle presses the leaves towards the frame
  "motions": { "move": { "on": "axle", "y": "0.04*sin(pi*t/2)^2" } },
  "outputs": ["axle/position/y", "move/force", "second_end_f/value", "third_end_f/value", "energy"],
  "analyses": [ { "type": "dynamic", "end": 4, "integrator": "generalised-alpha", "rho": 0.6, "step": 5e-4, "output_step": 0.01 } ],
  // femflex simulate FILE --variant smooth: without friction between the leaves
  "variants": { "smooth": { "parameters": { "friction": 0 } } }
}
)json";

}  // namespace femflex::verbs

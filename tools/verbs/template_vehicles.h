// Texts of the templates of trucks, their parts and their tyre, for the verb template.
#pragma once

namespace femflex::verbs {

extern const char* const kVehicleParts;  ///< PARTS.json of the trucks
extern const char* const kTruckTyre;     ///< TYRE.tir of the trucks, a property file
extern const char* const kTruck4x2;
extern const char* const kTruck6x4;
extern const char* const kSemitrailer;
extern const char* const kFourPost;

}  // namespace femflex::verbs

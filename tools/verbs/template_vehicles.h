// Texts of the templates of trucks, their parts and their tyre, for the verb template.
#pragma once

#include <string>

namespace femflex::verbs {

extern const char* const kVehicleParts;  ///< PARTS.json of the trucks
extern const char* const kTruckTyre;     ///< TYRE.tir of the trucks, a property file
extern const char* const kTruck6x4;
extern const char* const kSemitrailer;
std::string truck4x2();
std::string four_post();  ///< truck4x2 on four posts

}  // namespace femflex::verbs

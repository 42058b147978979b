// Names of the XML elements and attributes of FyDiK files, and the probable meaning of misspelled
// names. The FyDiK reader and writer use them.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace femflex::tools {

/// Largest depth of nested elements; a deeper file is an attack rather than a model.
inline constexpr int kDeepestFydik = 200;

/// Attributes of a mass point, one per axis.
inline constexpr std::array<const char*, 3> kFydikPositions = {
    "initCoordX", "initCoordY", "initCoordZ"};
inline constexpr std::array<const char*, 3> kFydikVelocities = {
    "initVelocityX", "initVelocityY", "initVelocityZ"};
inline constexpr std::array<const char*, 3> kFydikFixed = {"fixedX", "fixedY", "fixedZ"};
inline constexpr std::array<const char*, 3> kFydikForces = {"forceX", "forceY", "forceZ"};

/// Interaction functions: FyDiK's documentation mentions them without names; these names are
/// femflex's.
inline constexpr const char* kFydikFunction = "INTERACTIONFUNCTION";
inline constexpr const char* kFydikFunctionPoint = "FUNCTIONPOINT";
inline constexpr const char* kFydikFunctionIndex = "interactionFunctionIndex";

/// An element of a FyDiK model, and its attributes that femflex supports.
struct FydikElement {
  std::string name;
  std::vector<std::string> attributes;
};

/// The element with this name; null if FyDiK has no such element.
const FydikElement* fydik_element(std::string_view name);
/// The element of FyDiK that `name` probably means; empty if none is similar.
std::string meant_element(std::string_view name);
/// The attribute of `element` that `name` misspells or abbreviates; empty if none is similar.
std::string meant_attribute(const FydikElement& element, std::string_view name);
/// True for names such as "forceLaw" or "FUNCTION", which mean a force law that is not supported.
/// Ignoring one would change all results.
bool names_a_force_law(std::string_view name);

}  // namespace femflex::tools

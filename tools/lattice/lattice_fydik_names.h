// Names of the XML elements and attributes of FyDiK files, and guesses what a misspelt one means.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace femflex::tools {

/// Depth of nested elements; a deeper file is an attack, not a model.
inline constexpr int kDeepestFydik = 200;

/// Attributes of a mass point, one per axis.
inline constexpr std::array<const char*, 3> kFydikPositions = {
    "initCoordX", "initCoordY", "initCoordZ"};
inline constexpr std::array<const char*, 3> kFydikVelocities = {
    "initVelocityX", "initVelocityY", "initVelocityZ"};
inline constexpr std::array<const char*, 3> kFydikFixed = {"fixedX", "fixedY", "fixedZ"};
inline constexpr std::array<const char*, 3> kFydikForces = {"forceX", "forceY", "forceZ"};

/// Interaction functions: FyDiK's document mentions them without names; these names are ours.
inline constexpr const char* kFydikFunction = "INTERACTIONFUNCTION";
inline constexpr const char* kFydikFunctionPoint = "FUNCTIONPOINT";
inline constexpr const char* kFydikFunctionIndex = "interactionFunctionIndex";

/// An element of a FyDiK model and the attributes that this program understands there.
struct FydikElement {
  std::string name;
  std::vector<std::string> attributes;
};

/// Null if the element is not one of FyDiK's.
const FydikElement* fydik_element(std::string_view name);
/// FyDiK's element that `name` probably means; empty if none is near.
std::string meant_element(std::string_view name);
/// The attribute of `element` that `name` misspells or shortens; empty if none is near.
std::string meant_attribute(const FydikElement& element, std::string_view name);
/// True for names such as "forceLaw" or "FUNCTION" that mean a force law but are not read. Ignoring
/// one would change every number of the run.
bool names_a_force_law(std::string_view name);

}  // namespace femflex::tools

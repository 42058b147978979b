// Roughness of roads: the classes of [ISO 8608] and the spectrum that they stand for.
#pragma once

namespace femflex::laws {

/// n0 of the displacement spectrum Gd(n) = Gd(n0) (n / n0)^-w [cycles/m].
inline constexpr double kIso8608Reference = 0.1;

/// Gd(n0) of a road class from 'A' to 'H' [m^3]: the geometric mean of the class, 16e-6 for 'A' and
/// 4 times more for each further class.
/// @throws ModelError  there is no such class
double iso8608_roughness(char road_class);

}  // namespace femflex::laws

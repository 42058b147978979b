// Compiles fmt's non-header code into the FMU's shared library, so that the FMU does not need
// libfmt.so: includes format-inl.h and instantiates the templates that fmt's headers declare
// extern. The list is that of fmt 9.1.
#include <fmt/format-inl.h>

template auto fmt::detail::dragonbox::to_decimal(float x) noexcept
    -> fmt::detail::dragonbox::decimal_fp<float>;
template auto fmt::detail::dragonbox::to_decimal(double x) noexcept
    -> fmt::detail::dragonbox::decimal_fp<double>;
template auto fmt::detail::thousands_sep_impl(fmt::detail::locale_ref)
    -> fmt::detail::thousands_sep_result<char>;
template auto fmt::detail::decimal_point_impl(fmt::detail::locale_ref) -> char;
template void fmt::detail::buffer<char>::append(const char*, const char*);
template void fmt::detail::vformat_to(fmt::detail::buffer<char>&,
                                      fmt::string_view,
                                      fmt::basic_format_args<fmt::buffer_context<char>>,
                                      fmt::detail::locale_ref);

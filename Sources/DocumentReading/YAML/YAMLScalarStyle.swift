/// The style of a YAML scalar: only plain ones can be anything but text.
public enum YAMLScalarStyle: Sendable, Hashable {
    /// Without quotation marks.
    case plain
    /// In single quotation marks.
    case singleQuoted
    /// In double quotation marks, in which backslashes escape characters.
    case doubleQuoted
    /// Lines after `|`, whose line ends are kept.
    case literal
    /// Lines after `>`, which are joined.
    case folded
}

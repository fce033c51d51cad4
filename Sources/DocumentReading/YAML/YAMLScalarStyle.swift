/// How a YAML document writes a scalar: only plain ones may mean anything but text.
public enum YAMLScalarStyle: Sendable, Hashable {
    /// Without quotation marks.
    case plain
    /// Between single quotation marks.
    case singleQuoted
    /// Between double quotation marks, where backslashes escape characters.
    case doubleQuoted
    /// Lines after `|`, which keep their ends.
    case literal
    /// Lines after `>`, which are joined.
    case folded
}

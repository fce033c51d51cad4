/// How a YAML document writes a scalar: only plain ones may mean anything but text.
public enum YAMLScalarStyle: Sendable, Hashable {
    case plain
    case singleQuoted
    case doubleQuoted
    /// After `|`.
    case literal
    /// After `>`.
    case folded
}

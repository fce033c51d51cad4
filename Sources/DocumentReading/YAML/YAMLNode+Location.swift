extension YAMLNode {
    /// Returns the location of a character in a scalar; that of the scalar if it cannot be determined.
    public func location(offset: Int) -> SourceLocation {
        var location = location
        guard case .scalar(let text, let style) = content, let column = location.column, !text.contains("\n") else {
            return location
        }
        switch style {
        case .plain: location.column = column + offset
        case .singleQuoted where !text.contains("'"): location.column = column + 1 + offset
        default: break
        }
        return location
    }
}

extension YAMLNode {
    /// Where a character of a scalar stands: the scalar itself where that cannot be told.
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

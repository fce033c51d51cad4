import RecordSources

extension SourceMapping {
    /// The columns and paths that are used for values.
    var columns: [String] {
        var names = filter?.columns ?? []
        for object in objects {
            names +=
                object.sourceKey.flatMap(\.columns) + object.attributes.flatMap(\.value.columns)
                + (object.filter?.columns ?? [])
            for relationship in object.relationships {
                names += relationship.order.map { [$0] } ?? []
                guard case .key(let target) = relationship.target else { continue }
                names += target.parts.flatMap(\.value.columns)
            }
        }
        return names
    }

    /// Whether a CSV file must have a header: without it, columns are named `column1`, `column2` and so on.
    package var needsHeader: Bool {
        guard format.columns == nil, format.hasHeader == nil else { return false }
        return columns.contains { $0.wholeMatch(of: /column[0-9]+/) == nil }
    }
}

extension RecordFilter {
    /// The columns and paths of the condition.
    public var columns: [String] {
        switch self {
        case .isIn(let column, _), .isPresent(let column): [column]
        case .not(let inner): inner.columns
        case .all(let parts), .any(let parts): parts.flatMap(\.columns)
        }
    }
}

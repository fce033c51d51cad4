internal import DocumentReading

extension MappingParser {
    /// Returns a condition on records: columns with their values, all of which must match.
    mutating func filter(_ node: YAMLNode) -> RecordFilter? {
        guard let entries = entries(of: node, what: "a filter") else { return nil }
        guard !entries.isEmpty else {
            report("a filter needs a column with its values", at: node.location)
            return nil
        }
        var filters: [RecordFilter] = []
        for entry in entries {
            let filter = MappingKeys.filterGroups.contains(entry.key) ? group(entry) : condition(entry)
            guard let filter else { return nil }
            filters.append(filter)
        }
        return filters.count == 1 ? filters[0] : .all(filters)
    }

    /// `any of`, `all of` or `none of` several filters.
    private mutating func group(_ entry: YAMLEntry) -> RecordFilter? {
        guard let nodes = list(of: entry.value, what: "\"\(entry.key)\"") else { return nil }
        var filters: [RecordFilter] = []
        for node in nodes {
            guard let filter = filter(node) else { return nil }
            filters.append(filter)
        }
        switch entry.key {
        case "any of": return .any(filters)
        case "all of": return .all(filters)
        default: return .not(filters.count == 1 ? filters[0] : .any(filters))
        }
    }

    private mutating func condition(_ entry: YAMLEntry) -> RecordFilter? {
        let what = "the condition on \"\(entry.key)\""
        guard entry.value.mapping != nil else {
            return texts(entry.value, what: what, allowsEmpty: true).map { .isIn(entry.key, $0) }
        }
        guard let fields = fields(of: entry.value, what: what, keys: MappingKeys.condition) else { return nil }
        let given = MappingKeys.condition.filter(fields.has)
        guard given.count == 1, let node = fields[given[0]] else {
            report("\(what) needs one of \"is\", \"not\" and \"present\"", at: entry.value.location)
            return nil
        }
        switch given[0] {
        case "present":
            guard let isPresent = boolean(node, what: "\"present\"") else { return nil }
            return isPresent ? .isPresent(entry.key) : .not(.isPresent(entry.key))
        case "not": return texts(node, what: "\"not\"", allowsEmpty: true).map { .not(.isIn(entry.key, $0)) }
        default: return texts(node, what: "\"is\"", allowsEmpty: true).map { .isIn(entry.key, $0) }
        }
    }
}

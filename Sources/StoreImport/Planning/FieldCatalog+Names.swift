import RecordSources

extension FieldCatalog {
    /// Returns the field with a name or path.
    mutating func origin(_ name: String) throws(ImportPlanError) -> CompiledOrigin {
        if let columns {
            if let index = columns.firstIndex(of: name) {
                guard columns.lastIndex(of: name) == index else { throw ImportPlanError(.ambiguousColumn(name)) }
                return .field(index)
            }
            // If exactly one header differs only in case or surrounding space, it is this column.
            let wanted = Self.folded(name)
            let similar = columns.indices.filter { Self.folded(columns[$0]) == wanted }
            guard similar.count == 1 else { throw ImportPlanError(.unknownColumn(name, known: columns)) }
            return .field(similar[0])
        }
        let path = try self.path(name)
        return .field(field(of: path))
    }

    mutating func path(_ text: String) throws(ImportPlanError) -> RecordPath {
        do {
            return try path(reading: text)
        } catch {
            throw ImportPlanError(.badPath(text, reason: error.reason))
        }
    }

    private static func folded(_ name: String) -> String {
        String(name.lowercased().filter { !$0.isWhitespace && $0 != "\u{FEFF}" })
    }
}

import PersistentStores
import RecordConversion
import SQLiteAccess

/// The comparison of a record's values with those of an existing object.
struct ObjectComparison {
    private enum Comparison {
        case plain, decimal, external
        /// A part of the key, which is equal whenever objects are compared.
        case key
    }

    /// The kind of comparison for each attribute.
    private let compared: [Comparison]
    /// The large values of external binary data; nil if no attribute has any.
    var external: ExternalData?

    init(_ object: CompiledObject) {
        compared = object.attributes.enumerated().map { position, attribute in
            if object.keyAttributes.contains(position) { return .key }
            return attribute.isExternal ? .external : attribute.conversion.target == .decimal ? .decimal : .plain
        }
    }

    /// Calls a closure with the position of each attribute that a record changes.
    ///
    /// - Parameters:
    ///   - instances: the instances of the batch.
    ///   - instance: the instance of the record.
    ///   - row: the row of the object.
    ///   - firstColumn: the column of the first attribute.
    ///   - fills: whether only values that are NULL are changed.
    ///   - arena: the bytes of the batch.
    ///   - body: the closure.
    @inline(__always)
    func forEachChange(
        _ instances: ObjectInstances, _ instance: Int, row: some FoundRow, firstColumn: Int32, fills: Bool,
        arena: [UInt8], _ body: (Int) -> Void
    ) {
        let cells = instances.cells.span.extracting(
            instance * instances.attributeCount..<(instance + 1) * instances.attributeCount)
        // The cell of a value in a file is NULL.
        let isPlain = instances.files.isEmpty
        func next(_ position: Int) -> Int {
            isPlain ? row.firstDifference(from: position, of: cells, at: firstColumn, in: arena.span) : position
        }
        var position = next(0)
        while position < compared.count {
            if differs(position, of: instances, instance, row, firstColumn, fills, arena) { body(position) }
            position = next(position + 1)
        }
    }

    private func differs(
        _ position: Int, of instances: ObjectInstances, _ instance: Int, _ row: some FoundRow, _ firstColumn: Int32,
        _ fills: Bool, _ arena: [UInt8]
    ) -> Bool {
        let column = firstColumn + Int32(position)
        guard compared[position] != .key, instances.isPresent(instance, position), !fills || row.isNull(column) else {
            return false
        }
        if let file = instances.file(instance, position) {
            return !holds(row, column, file, isExternal: compared[position] == .external)
        }
        let value = instances.cell(instance, position)
        if compared[position] == .external, case .blob(let range) = value, let stored = row.blob(column),
            external?.holds(stored, arena[range.range]) ?? false
        {
            return false
        }
        return !row.holds(value, in: arena, at: column, isDecimal: compared[position] == .decimal)
    }

    /// Returns whether a column of a row contains the bytes of a file.
    private func holds(_ row: some FoundRow, _ column: Int32, _ file: BinaryFile, isExternal: Bool) -> Bool {
        guard row.storageClass(column) == .blob else { return false }
        // docs/format/sqlite-store.md#external-binary-data: tag 1 and the data, or tag 2 and the name of a file.
        let tag = isExternal ? row.withSpan(column) { $0.isEmpty ? 0 : $0[0] } : 0
        if tag == 2 { return external?.holds(row.blob(column) ?? [], file) ?? false }
        let skipped = isExternal ? 1 : 0
        guard row.withSpan(column, { $0.count }) == file.size + skipped, let content = try? file.content() else {
            return false
        }
        return row.withSpan(column) { stored in
            KeyHash.isEqual(stored.extracting(skipped..<stored.count), content.span)
        }
    }
}

import PersistentStores
import SQLiteAccess

/// The objects of the store that a batch's instances stand for, and what is to be changed in them.
struct MatchedInstances {
    var instances: [Int] = []
    var updates: [(instance: Int, key: Int64, changes: Set<Int>)] = []

    /// An instance stands for the object in a row.
    ///
    /// - Parameters:
    ///   - firstCompared: the row's first column that is compared.
    ///   - isEqual: whether the row is known to have the instance's values.
    mutating func take(
        _ instance: Int, _ row: Statement, _ firstCompared: Int32, _ current: inout ObjectInstances,
        _ writer: MappedObjectWriter, isEqual: Bool = false, _ external: ExternalData, _ arena: [UInt8]
    ) throws {
        current.primaryKeys[instance] = row.integer(0)
        current.entities[instance] = row.integer(1)
        current.states[instance] = .unchanged
        instances.append(instance)
        guard !isEqual, writer.object.onMatch == .update || writer.object.onMatch == .fill else { return }
        let fills = writer.object.onMatch == .fill && !current.makers.contains(instance)
        let changes = writer.changes(
            current, instance, row: row, firstColumn: firstCompared, fills: fills, arena: arena)
        if !changes.isEmpty { updates.append((instance, row.integer(0), changes)) }
        for position in writer.externals where changes.contains(position) {
            try external.release(row.value(firstCompared + Int32(position)).blob ?? [])
        }
    }
}

import ImportMappings
import PersistentStores
import SQLiteAccess

/// The objects of the store that the instances of a batch match, and the changes to be made in them.
struct MatchedInstances {
    /// The changes that a record makes to an object; the positions are those of `MappedObjectWriter.changes`.
    struct Update {
        let instance: Int
        let key: Int64
        let changes: Set<Int>
    }

    private(set) var instances: [Int] = []
    private var updates: [Update] = []

    /// Notes that an instance matches the object in a row.
    ///
    /// - Parameters:
    ///   - instance: the instance.
    ///   - row: the row of the object.
    ///   - firstCompared: the first column of the row that is compared.
    ///   - current: the instances of the batch.
    ///   - writer: the writer of the object mapping.
    ///   - isEqual: whether the row is known to have the instance's values.
    ///   - external: the external data of the store.
    ///   - arena: the bytes of the batch.
    mutating func take(
        _ instance: Int, _ row: some FoundRow, _ firstCompared: Int32, _ current: inout ObjectInstances,
        _ writer: MappedObjectWriter, isEqual: Bool = false, _ external: ExternalData, _ arena: [UInt8]
    ) throws {
        let key = row.integer(0)
        current.primaryKeys[instance] = key
        current.entities[instance] = row.integer(1)
        current.states[instance] = .unchanged
        instances.append(instance)
        guard !isEqual, writer.object.onMatch == .update || writer.object.onMatch == .fill else { return }
        let fills = writer.object.onMatch == .fill && !current.makers.contains(instance)
        let changes = writer.changes(
            current, instance, row: row, firstColumn: firstCompared, fills: fills, arena: arena)
        if !changes.isEmpty { updates.append(Update(instance: instance, key: key, changes: changes)) }
        for position in writer.externals where changes.contains(position) {
            try external.release(row.blob(firstCompared + Int32(position)) ?? [])
        }
    }

    /// Notes that an instance matches an object that another thread has found.
    mutating func take(
        _ instance: Int, of earlier: EarlierMatches, _ current: inout ObjectInstances, _ writer: MappedObjectWriter
    ) {
        let (object, key) = (writer.object, earlier.primaryKeys[instance])
        current.primaryKeys[instance] = key
        current.entities[instance] = earlier.entities[instance]
        current.states[instance] = .unchanged
        instances.append(instance)
        writer.walk.expectedKey = OrderedWalk.key(behind: key)
        guard object.onMatch == .update || object.onMatch == .fill else { return }
        var bits = earlier.changes[instance]
        var changes: Set<Int> = []
        while bits != 0 {
            changes.insert(bits.trailingZeroBitCount)
            bits &= bits - 1
        }
        var place = instance * writer.storedToOnes.count
        for position in writer.storedToOnes {
            let (stored, slot) = (earlier.toOnes[place], instance * current.toOneCount + position)
            place += 1
            guard current.toOnePresent[slot], object.onMatch == .update || stored == 0 else { continue }
            if stored != current.toOneKeys[slot] { changes.insert(object.attributes.count + position) }
        }
        if !changes.isEmpty { updates.append(Update(instance: instance, key: key, changes: changes)) }
    }

    /// Returns the changes in the order of the instances, the last one first. Objects are found in the order of their
    /// keys, but are written in the order of the records, because this determines which object gets a unique value.
    func updatesFromTheLast() -> [Update] { updates.sorted { $0.instance > $1.instance } }

    func count(_ states: [ObjectInstances.State], into counts: inout ImportReport.EntityReport, except makers: Set<Int>)
    {
        for instance in instances where !makers.contains(instance) {
            switch states[instance] {
            case .updated: counts.updated += 1
            case .unchanged: counts.unchanged += 1
            case .skipped: counts.skipped += 1
            default: break
            }
        }
    }
}

import ManagedObjectModels
import PersistentStores
import SQLiteFileBuilder
import StoreAssembly

/// Lists of links in a store that is assembled.
extension ImportSession {
    /// Links the objects of a batch with those that their records name in a list, or spools the names.
    func refer(
        _ position: Int, _ assembled: ObjectAssembly, _ stream: AssembledStream, _ current: ObjectInstances,
        _ batch: RecordBatch
    ) throws {
        guard case .key(let target) = stream.object.toManys[position].target else { return }
        let list = stream.lists[position]
        let destination = assembled.destinations[target.resolver]
        let resolver = resolvers[target.resolver]
        let creates = target.missing == .create && target.unfilled == nil
        let arena = batch.arena.span
        var note: [UInt8] = []
        for instance in 0..<current.count where current.states[instance] == .inserted {
            guard current.lists[position].isPresent(instance) else { continue }
            let arrival = current.primaryKeys[instance]
            try list.say(arrival)
            let record = Int(current.records[instance])
            for (ordinal, place) in current.lists[position].keys(of: instance).enumerated() {
                // What is in memory is found by one value.
                if let found = resolver.target(of: current.lists[position].value(at: place), in: arena) {
                    try list.link(arrival, to: found.primaryKey)
                    continue
                }
                guard let key = current.lists[position].key(at: place, in: batch.arena) else { continue }
                waitingRecords.insert(record)
                if creates {
                    if let made = try make(key, target, assembled, destination) {
                        try list.link(arrival, to: made)
                        continue
                    }
                    note.removeAll()
                } else {
                    SpooledNote.reference(
                        record: recordNumber(batch, record), line: batch[record].line, object: stream.index,
                        position: stream.object.toOnes.count + position, ordinal: ordinal, key: key.bytes
                    ).encode(into: &note)
                }
                try destination.keys.refer(
                    assembled.digest(of: key, for: destination), from: arrival, in: list, payload: note.span)
            }
        }
    }

    /// Makes an object that has nothing but its key, where all others are in memory; else reserves its place.
    ///
    /// - Returns: its arrival, if it is made.
    func make(
        _ key: ReferenceKey, _ target: CompiledKeyTarget, _ assembled: ObjectAssembly,
        _ destination: ObjectAssembly.Destination
    ) throws -> Int64? {
        let resolver = resolvers[target.resolver]
        let digest = assembled.digest(of: key, for: destination)
        guard resolver.isCached else {
            try destination.creation.reserve(key, digest, in: destination.keys)
            return nil
        }
        let arrival = try destination.creation.append(key)
        let made = KeyIndex.Target(primaryKey: arrival, entity: resolver.entityNumber)
        try destination.keys.add(digest, row: arrival)
        resolver.noteCreated(key, made)
        for other in resolvers where layout.model.isKind(target.slot, of: other.slot) {
            other.learn(of: key, made, madeBy: resolver)
        }
        return arrival
    }
}

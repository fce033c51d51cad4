import ImportMappings
import ManagedObjectModels
import ObjectValidation
import PersistentStores
import RecordSources
import SQLiteFileBuilder
import StoreAssembly

/// Lists of links in a store that is assembled.
extension RecordAssembler {
    /// Links the objects of a batch to the objects that their records name in a list, or spools the references.
    func refer(
        _ position: Int, _ stream: AssembledStream, _ current: ObjectInstances,
        _ batch: RecordBatch
    ) throws {
        let relationship = stream.object.toManys[position]
        guard case .key(let target) = relationship.target else { return }
        let list = stream.lists[position]
        let rule = stream.object.listRule(of: relationship)
        let destination = assembled.destinations[target.resolver]
        let resolver = resolvers[target.resolver]
        let creates = target.makesMissing
        let isRequired = target.isRequiredInList
        let arena = batch.arena.span
        var note = SpoolEncoder()
        var found: [Int64?] = []
        var known: [Int64] = []
        var isLate = false
        let lists = current.lists[position]
        for instance in 0..<current.count where current.states[instance] == .inserted {
            guard lists.isPresent(instance) else { continue }
            let arrival = current.primaryKeys[instance]
            try list.say(arrival, rule)
            try compare(list, at: position, instance, stream, current, batch)
            let keys = lists.keys(of: instance)
            if resolver.findTargets(of: keys, in: lists, arena, &known) {
                try list.link(arrival, to: known)
                continue
            }
            let record = Int(current.records[instance])
            found.removeAll(keepingCapacity: true)
            for place in keys {
                // Keys in memory consist of one value.
                if let known = resolver.target(of: lists.value(at: place), in: arena) {
                    found.append(known.primaryKey)
                } else if creates, let key = lists.key(at: place, in: batch.arena) {
                    wait(record)
                    if let madeLast = stream.madeLast[position] {
                        found.append(nil)
                        try name(key, target, madeLast, position, of: instance, stream, current, batch)
                    } else {
                        switch try make(key, target, for: stream, at: nil) {
                        case .made(let made): found.append(made)
                        case .reserved: found.append(nil)
                        }
                    }
                } else {
                    found.append(nil)
                }
            }
            // If the order of links matters, all links of a row must be given in the same way.
            let isWhole = !list.isOrdered || !found.contains(nil)
            for (ordinal, place) in keys.enumerated() {
                if isWhole, let known = found[ordinal] {
                    try list.link(arrival, to: known)
                    continue
                }
                guard let key = lists.key(at: place, in: batch.arena) else { continue }
                wait(record)
                note.removeAll()
                if !creates {
                    SpooledNote.reference(
                        record: session.recordNumber(batch, record), line: batch[record].line, object: stream.index,
                        position: stream.object.toOnes.count + position, ordinal: ordinal, key: key.bytes
                    ).encode(into: &note)
                }
                try destination.keys.refer(
                    assembled.digest(of: key, for: destination), as: destination.entity,
                    from: ListEnd(list, arrival: arrival, ordinal: ordinal, isRequired: isRequired, creates: creates),
                    payload: note.bytes.span)
                if isRequired {
                    try keepLate(record, batch)
                    isLate = true
                }
            }
        }
        if isLate { forgetTable(of: stream) }
    }

    /// Records the row of an instance, if the links of one of its lists are part of unique values.
    private func compare(
        _ list: AssembledList, at position: Int, _ instance: Int, _ stream: AssembledStream,
        _ current: ObjectInstances, _ batch: RecordBatch
    ) throws {
        guard list.isCompared else { return }
        let record = Int(current.records[instance])
        var note = SpoolEncoder()
        SpooledNote.notUniqueInList(
            session.entry(session.recordNumber(batch, record), record, batch), object: stream.index, list: position
        ).encode(into: &note)
        try list.compare(current.primaryKeys[instance], note: note.bytes.span)
    }

    /// Adds an object that a list names, and that is created after the last record if no other object has its key.
    private func name(
        _ key: ReferenceKey, _ target: CompiledKeyTarget, _ madeLast: MadeLast, _ position: Int, of instance: Int,
        _ stream: AssembledStream, _ current: ObjectInstances, _ batch: RecordBatch
    ) throws {
        let destination = assembled.destinations[target.resolver]
        let digest = assembled.digest(of: key, for: destination)
        if let recent = madeLast.recent {
            if recent.arrival(of: digest, saying: digest) != nil { return }
            recent.keep(digest, saying: digest, arrival: 1)
        }
        let creation = destination.creation
        let list = madeLast.isInTurn ? stream.lists[position] : nil
        let position = stream.object.toOnes.count + position
        try destination.keys.list(
            ListedObject(
                digest, entity: creation.entity, number: creation.entityNumber, row: creation.keep(key),
                owner: (stream.table, current.primaryKeys[instance]), madeLast.condition,
                record: session.recordNumber(batch, Int(current.records[instance])),
                unique: uniqueValues(key, target, at: position, by: instance, stream, current, batch), inTurnOf: list,
                parts: keyParts(of: key, destination)))
    }

    /// Records the values that determine the order of the links of a batch's objects among those of other records.
    func notePlaces(_ position: Int, _ stream: AssembledStream, _ current: ObjectInstances, _ batch: inout RecordBatch)
        throws(BuildError)
    {
        let relationship = stream.object.toManys[position]
        // If only one record sets the list, all of its links have the same value.
        guard stream.object.ordersLinks(of: relationship) else { return }
        for instance in 0..<current.count where current.states[instance] == .inserted {
            guard !current.lists[position].keys(of: instance).isEmpty else { continue }
            let value = relationship.place(
                of: Int(current.records[instance]), Int(current.nodes[instance]), &batch)
            try stream.lists[position].place(current.primaryKeys[instance], by: value)
        }
    }

    /// Links the objects of a batch to other objects of their records that are in their lists.
    func linkParts(of entity: EntityImport, _ stream: AssembledStream, _ batch: RecordBatch) throws {
        for (position, relationship) in entity.object.toManys.enumerated() {
            guard case .object(let index) = relationship.target else { continue }
            let (list, other) = (stream.lists[position], entity.sibling(index))
            let isDemanding = conditions.mayLackOwners(relationship, of: entity.object)
            var note = SpoolEncoder()
            for (instance, parts) in session.related(entity, other).enumerated() {
                guard entity.instances.states[instance] == .inserted else { continue }
                let arrival = entity.instances.primaryKeys[instance]
                let found = parts.compactMap { part in
                    let arrival = other.instances.primaryKeys[part]
                    return arrival == 0 ? nil : arrival
                }
                if found.isEmpty, !session.batchWriter.namesNone(other, entity, instance, batch) { continue }
                try list.say(
                    arrival, entity.object.listRule(of: relationship),
                    ifLinked: !found.isEmpty && other.object.onMissing == .skip)
                try compare(list, at: position, instance, stream, entity.instances, batch)
                try list.link(arrival, to: found)
                guard isDemanding else { continue }
                let record = Int(entity.instances.records[instance])
                let number = session.recordNumber(batch, record)
                SpooledNote.unowned(session.entry(number, record, batch), object: entity.index, list: position)
                    .encode(into: &note)
                try list.demand(arrival, of: number, isEmpty: found.isEmpty, note: note.bytes.span)
            }
        }
    }

    /// Creates an object with only its key, if all other keys are in memory and the record that names it cannot be
    /// rejected. Otherwise reserves the object.
    ///
    /// - Parameters:
    ///   - key: the key of the object.
    ///   - target: the target with the key.
    ///   - stream: the stream of the object that names it.
    ///   - moment: the moment of the reference; nil if no later record can give the object other values.
    func make(
        _ key: ReferenceKey, _ target: CompiledKeyTarget, for stream: AssembledStream, at moment: RecordMoment?
    ) throws -> NamedArrival {
        let resolver = resolvers[target.resolver]
        let destination = assembled.destinations[target.resolver]
        let digest = assembled.digest(of: key, for: destination)
        guard resolver.isCached, !stream.mayBeRejected else {
            // The object is not added to the keys in memory, because it may be rejected together with the record that
            // names it.
            if resolver.isCached { forgetTable(resolver.entityTable.root) }
            let reservation = try destination.creation.reserve(key, digest, in: destination.keys)
            if let moment { try noteKeys(made: reservation, of: key, at: moment, destination) }
            return .reserved(reservation)
        }
        let arrival = try destination.creation.append(key)
        if let moment { try noteKeys(made: arrival, of: key, at: moment, destination) }
        let made = KeyIndex.Target(primaryKey: arrival, entity: resolver.entityNumber)
        try destination.keys.add(digest, row: arrival, entity: destination.entity)
        resolver.noteCreated(key, made)
        for other in resolvers where layout.model.isKind(target.slot, of: other.slot) {
            other.learn(of: key, made, madeBy: resolver)
        }
        return .made(arrival)
    }
}

/// The arrival of an object that exists because a record names it.
enum NamedArrival {
    /// The object has a row.
    case made(Int64)
    /// The object is created after all objects have been added, unless another one has its key.
    case reserved(Int64)
}

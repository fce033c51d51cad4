import ImportMappings
import ManagedObjectModels
import PersistentStores
import RecordSources
import SQLiteAccess
import SQLiteFileBuilder
import StoreAssembly

/// A to-one link whose destination is not in memory.
private struct SpooledLink {
    let instance: Int
    let position: Int
    let key: ReferenceKey
    /// The reservation of the destination; nil if none was made.
    var reservation: Int64?
}

/// The instances of a batch whose destinations by an optional to-one relationship are looked up after all records have
/// been read. The keys are converted values.
private struct LateLinks {
    let position: Int
    let instances: [Int]
}

/// The bytes that stand for destinations in keys, by instance and position of a to-one relationship that is part of the
/// key.
private typealias NamedParts = [Int: [UInt8]]

/// The batches of a new store that is assembled: the objects of each record are appended immediately.
extension RecordAssembler {
    func assemble(
        _ source: SourceImport, _ batch: inout RecordBatch, _ name: String,
        _ report: inout ImportReport.SourceReport
    ) throws {
        let streams = assembled.streams[source.index]
        // Whether the objects of a record are rejected together, because one of them may be rejected after all records
        // have been read.
        let areHeldTogether = streams[0].mayBeRejected && (streams.count > 1 || streams[0].object.isPart)
        if areHeldTogether || conditions.mayBeMiscounted(source.compiled) { streams.forEach(forgetTable) }
        batchState.waitingRecords.removeAll(keepingCapacity: true)
        // A record is rejected before any of its objects is written.
        var links = [[SpooledLink]](repeating: [], count: streams.count)
        var late = [[LateLinks]](repeating: [], count: streams.count)
        let files = try SQLiteError.ofBuilder {
            try streams.contains { $0.object.hasFiles } ? SpooledFiles(beside: connection.path) : nil
        }
        var named = [NamedParts](repeating: [:], count: streams.count)
        for entity in source.entities { try session.convertSourceKeys(entity, &batch, name, &report) }
        for entity in source.entitiesOfNewObjects {
            let stream = streams[entity.index]
            for (position, relationship) in stream.object.toOnes.enumerated() {
                if case .object(let other) = relationship.target {
                    try session.batchWriter.unlinkWithinRecord(
                        entity, position, entity.sibling(other), batch, name, &report)
                }
            }
            // If other objects are part of the key, the key is known when theirs are.
            let isKeyLate = !stream.object.keyRelationships.isEmpty
            do {
                var current = entity.takeInstances()
                defer { swap(&current, &entity.instances) }
                if !isKeyLate { try rejectIncomplete(stream, current, [:], batch, name, &report) }
                if let files { try takeFiles(stream, &current, &batch, name, &report, into: files) }
                for position in stream.object.toOnes.indices {
                    let others = lateLinks(at: position, stream, &current, batch, &late[entity.index])
                    try resolve(
                        position, others, stream, &current, &batch, name, &report, &links[entity.index])
                }
            }
            if isKeyLate {
                named[entity.index] = namedParts(of: entity, named, &batch)
                try rejectIncomplete(stream, entity.instances, named[entity.index], batch, name, &report)
            }
        }
        for entity in source.entitiesOfNewObjects {
            let (index, stream) = (entity.index, streams[entity.index])
            for (position, relationship) in stream.object.toOnes.enumerated() {
                if case .object(let other) = relationship.target, !stream.linkedByRow.contains(position) {
                    session.batchWriter.linkWithinRecord(entity, position, entity.sibling(other))
                }
            }
            var current = entity.takeInstances()
            defer { swap(&current, &entity.instances) }
            if current.prepared.digests == nil {
                current.makeKeys(
                    stream.object, where: batchState.isRejected, in: batch.arena,
                    named: stream.object.keyRelationships.isEmpty ? nil : named[index])
            } else if !batchState.rejected.isEmpty {
                current.forgetKeys(where: batchState.isRejected)
            }
            stream.begin()
            try SQLiteError.ofBuilder {
                let madeFrom = try create(&links[index], stream, &current, batch)
                stream.leaveOutRepeated(&current, where: batchState.isRejected, arena: batch.arena, assembled.digester)
                try externalize(entity.writer, &current, &batch)
                if stream.reservesInTurn {
                    try appendInTurn(stream, &current, &links[index], &batch, stream.object.hasFiles ? files : nil)
                } else if let files, stream.object.hasFiles {
                    try append(stream, &current, &batch, with: files)
                } else {
                    try stream.append(&current, where: batchState.isRejected, arena: batch.arena)
                }
                try refer(links[index], stream, current, batch)
                for links in late[index] { try refer(links, stream, current, batch) }
                try noteKeys(stream, current, batch)
                if !stream.reservesInTurn {
                    try noteKeys(stream, current, in: 0..<current.count, batch, madeFrom)
                    try noteRecords(stream, current, in: 0..<current.count, batch)
                }
                if stream.table.isCounted { try noteCounted(stream, current, batch) }
                if stream.links.contains(where: stream.table.keepsNamings) {
                    let waiting =
                        links[index].map { (instance: $0.instance, position: $0.position) }
                        + late[index].flatMap { late in late.instances.map { ($0, late.position) } }
                    try noteDestinations(stream, current, waiting: waiting)
                }
                if !stream.object.hasFiles, !stream.reservesInTurn {
                    try noteUniqueValues(stream, current, in: 0..<current.count, batch)
                }
                for position in stream.lists.indices {
                    try refer(position, stream, current, batch)
                    try notePlaces(position, stream, current, &batch)
                }
            }
            try learn(stream, current, batch)
        }
        try SQLiteError.ofBuilder {
            try noteAliases(source, streams)
            for entity in source.entities {
                try linkByRow(entity, streams)
                try linkParts(of: entity, streams[entity.index], batch)
            }
            if areHeldTogether { try holdTogether(source, streams) }
        }
        try session.keepWaitingRecords(batch)
    }

    /// Spools the links to other objects of the same records that are not known when the rows are appended: those that
    /// form a cycle, and those to objects that may be skipped.
    private func linkByRow(_ entity: EntityImport, _ streams: [AssembledStream]) throws(BuildError) {
        let stream = streams[entity.index]
        for position in stream.linkedByRow.sorted() where stream.object.toOnes[position].column != nil {
            guard case .object(let index) = stream.object.toOnes[position].target else { continue }
            let other = entity.sibling(index)
            for (instance, targets) in session.related(entity, other).enumerated()
            where entity.instances.states[instance] == .inserted {
                guard let target = targets.first(where: { other.instances.primaryKeys[$0] != 0 }) else { continue }
                try streams[index].rowsOfRecords?.refer(
                    to: other.instances.primaryKeys[target],
                    from: (stream.table, entity.instances.primaryKeys[instance], stream.links[position]),
                    isLate: stream.lateInRecord.contains(position))
            }
        }
    }

    /// Records that all rows of each record of a batch are rejected together. Each row refers to the next one, and the
    /// last one to the first.
    private func holdTogether(_ source: SourceImport, _ streams: [AssembledStream]) throws {
        typealias Row = (table: AssembledTable, arrival: Int64)
        var rings: [Int32: (first: Row, last: Row)] = [:]
        for entity in source.entities {
            let table = streams[entity.index].table
            for instance in 0..<entity.instances.count where entity.instances.states[instance] == .inserted {
                let (record, arrival) = (entity.instances.records[instance], entity.instances.primaryKeys[instance])
                guard let ring = rings[record] else {
                    rings[record] = ((table, arrival), (table, arrival))
                    continue
                }
                try ring.last.table.note(row: arrival, in: table, goingWith: ring.last.arrival)
                rings[record]?.last = (table, arrival)
            }
        }
        for (first, last) in rings.values where last.table !== first.table || last.arrival != first.arrival {
            try last.table.note(row: first.arrival, in: first.table, goingWith: last.arrival)
        }
    }

    /// Writes the large values of external binary data to files, for the objects that get a row.
    private func externalize(
        _ writer: MappedObjectWriter, _ current: inout ObjectInstances, _ batch: inout RecordBatch
    ) throws {
        for position in writer.externals {
            for instance in 0..<current.count
            where current.primaryKeys[instance] == 0 && !batchState.isRejected[Int(current.records[instance])] {
                try session.batchWriter.externalize(position, instance, &current, &batch)
            }
        }
    }

    /// Returns the bytes that stand for other objects in the objects' keys: the keys by which the records name these
    /// objects, or the keys of objects of the same record. An object without a key differs from all other objects.
    ///
    /// - Parameters:
    ///   - entity: the object mapping.
    ///   - known: the parts of each object mapping that comes before.
    ///   - batch: the batch.
    private func namedParts(of entity: EntityImport, _ known: [NamedParts], _ batch: inout RecordBatch) -> NamedParts {
        var named: NamedParts = [:]
        let (object, current) = (entity.object, entity.instances)
        for position in object.keyRelationships {
            switch object.toOnes[position].target {
            case .key(let target):
                for instance in 0..<current.count where !batchState.isRejected[Int(current.records[instance])] {
                    let place = instance * current.toOneCount + position
                    var key: [UInt8] = []
                    if current.toOneConverted[place],
                        KeyBytes.append(current.toOneCells[place], in: batch.arena, to: &key)
                    {
                        named[place] = key
                    } else {
                        // A record whose key cannot be read has already been rejected.
                        let (record, node) = (Int(current.records[instance]), Int(current.nodes[instance]))
                        named[place] = (try? batch.key(target.parts, of: record, node: node))?.key?.bytes
                    }
                }
            case .object(let index):
                let other = entity.sibling(index)
                for (instance, targets) in session.related(entity, other).enumerated() {
                    let record = Int(current.records[instance])
                    guard let target = targets.first, !batchState.isRejected[record] else { continue }
                    var key: [UInt8] = []
                    let hasKey =
                        other.object.hasKey
                        && other.instances.appendKey(of: target, other.object, known[index], in: batch.arena, to: &key)
                    if !hasKey {
                        key = [KeyBytes.objectTag]
                        for number in [session.recordNumber(batch, record), Int64(index), Int64(target)] {
                            KeyBytes.append(number, to: &key)
                        }
                    }
                    named[instance * current.toOneCount + position] = key
                }
            }
        }
        return named
    }

    /// Rejects records from which no object can be created, and that have no key by which an object could be found.
    ///
    /// - Parameter named: the bytes that stand for other objects in keys.
    @_optimize(speed)
    private func rejectIncomplete(
        _ stream: AssembledStream, _ current: ObjectInstances, _ named: NamedParts, _ batch: RecordBatch,
        _ name: String, _ report: inout ImportReport.SourceReport
    ) throws {
        let object = stream.object
        for instance in 0..<current.count {
            if !object.keyRelationships.isEmpty, batchState.isRejected[Int(current.records[instance])] { continue }
            // A key with NULL matches no object.
            let hasKey =
                object.hasKey && object.keyAttributes.allSatisfy { !current.cell(instance, $0).isNull }
                && object.keyRelationships.allSatisfy { named[instance * current.toOneCount + $0] != nil }
            guard object.onMissing == .create else {
                if !hasKey, object.onMissing == .error {
                    try session.reject(
                        Int(current.records[instance]), of: batch, name, &report, object.reason(.noMatch))
                }
                continue
            }
            let missing =
                hasKey && object.unfilled.isEmpty
                ? nil : object.unfilled.first ?? current.unfilledName(instance, object)
            guard let missing else { continue }
            try session.reject(
                Int(current.records[instance]), of: batch, name, &report, object.reason(.noValue, missing))
        }
    }

    /// Finds the destinations of a to-one relationship that are in memory, and collects the instances whose
    /// destinations can be looked up later without further checks.
    ///
    /// - Returns: the other instances, as far as their records are not rejected.
    @_optimize(speed)
    private func lateLinks(
        at position: Int, _ stream: AssembledStream, _ current: inout ObjectInstances, _ batch: RecordBatch,
        _ late: inout [LateLinks]
    ) -> [Int] {
        let relationship = stream.object.toOnes[position]
        guard case .key(let target) = relationship.target else { return [] }
        let resolver = resolvers[target.resolver]
        let others = resolver.resolve(position, of: &current, batchState.isRejected, in: batch.arena)
        // A new store has only the objects that its sources create.
        guard !resolver.isCached, scope.lastFiles[target.slot] != nil, !target.makesMissing,
            !relationship.isNeeded(target), !stream.object.keyRelationships.contains(position),
            target.parts.count == 1, !assembled.destinations[target.resolver].keys.isChanging
        else { return others }
        let count = current.toOneCount
        var (waiting, rest): ([Int], [Int]) = ([], [])
        waiting.reserveCapacity(others.count)
        for instance in others {
            let place = instance * count + position
            if current.toOneConverted[place], !current.toOneCells[place].isNull {
                current.toOnePresent[place] = true
                waiting.append(instance)
            } else {
                rest.append(instance)
            }
        }
        late.append(LateLinks(position: position, instances: waiting))
        return rest
    }

    /// Finds the destinations of the instances that `lateLinks` returned, and collects the links whose destinations are
    /// not in memory.
    private func resolve(
        _ position: Int, _ instances: [Int], _ stream: AssembledStream, _ current: inout ObjectInstances,
        _ batch: inout RecordBatch, _ name: String, _ report: inout ImportReport.SourceReport,
        _ links: inout [SpooledLink]
    ) throws {
        let object = stream.object
        let relationship = object.toOnes[position]
        guard case .key(let target) = relationship.target else { return }
        let resolver = resolvers[target.resolver]
        let isCached = resolver.isCached
        let isKey = object.keyRelationships.contains(position)
        // A new store has only the objects that its sources create. The batch itself may create objects that are part
        // of a key.
        let isOfBatch = isKey && resolver.entityTable.root == object.table.root
        let isKnown = isCached && !isOfBatch || scope.lastFiles[target.slot] == nil
        for instance in instances {
            let record = Int(current.records[instance])
            let place = instance * object.toOnes.count + position
            do throws(RejectionReason) {
                let found: ReferenceKey?
                if current.toOneConverted[place], current.toOneCells[place] != .null {
                    found = ReferenceKey([current.toOneCells[place].sqliteValue(in: batch.arena)])
                    current.toOnePresent[place] = true
                } else {
                    (found, current.toOnePresent[place]) = try batch.key(
                        target.parts, of: record, node: Int(current.nodes[instance]))
                }
                guard let found else {
                    if current.toOnePresent[place], !relationship.relationship.isOptional {
                        throw RejectionReason(.noDestination, column: target.sourceName)
                    }
                    continue
                }
                if let known = isCached ? resolver.target(of: found.bytes) : nil {
                    current.toOneKeys[place] = known.primaryKey
                    current.toOneEntities[place] = known.entity
                } else {
                    if isKnown, !target.makesMissing,
                        let refusal = session.batchWriter.absence(of: found, target, relationship, isKey: isKey)
                    {
                        throw refusal
                    }
                    links.append(SpooledLink(instance: instance, position: position, key: found))
                }
            } catch {
                try session.reject(record, of: batch, name, &report, error.of(object, relationship.name))
            }
        }
    }

    /// Creates the objects that are named and do not exist, if all keys are in memory, and otherwise reserves them.
    /// Objects of the same table are not reserved here if that is done in the order of the records.
    ///
    /// - Returns: the instances that, if records were read one by one, would create objects which later records or they
    ///   themselves name, each with the first arrival that may be such an object.
    private func create(
        _ links: inout [SpooledLink], _ stream: AssembledStream,
        _ current: inout ObjectInstances, _ batch: RecordBatch
    ) throws -> [Int: Int64] {
        let object = stream.object
        guard object.keyTargets.contains(where: \.target.makesMissing) else {
            links.removeAll { batchState.isRejected[Int(current.records[$0.instance])] }
            return [:]
        }
        var waiting: [SpooledLink] = []
        if assembled.createsInTurn { links.sort { $0.instance < $1.instance } }
        let firstCreated = stream.table.next
        let makers = stream.reservesInTurn ? [] : makers(behind: links, stream, current)
        for link in links where !batchState.isRejected[Int(current.records[link.instance])] {
            guard case .key(let target) = object.toOnes[link.position].target, target.makesMissing,
                !stream.reservesInTurn || assembled.destinations[target.resolver].table !== stream.table
            else {
                waiting.append(link)
                continue
            }
            let resolver = resolvers[target.resolver]
            let place = link.instance * object.toOnes.count + link.position
            if resolver.isCached, let found = resolver.target(of: link.key.bytes) {
                current.toOneKeys[place] = found.primaryKey
                current.toOneEntities[place] = found.entity
                continue
            }
            let moment = moment(stream, batch, Int(current.records[link.instance]), at: link.position)
            switch try make(link.key, target, for: stream, at: moment) {
            case .made(let made):
                current.toOneKeys[place] = made
                current.toOneEntities[place] = resolver.entityNumber
            case .reserved(let reservation):
                var link = link
                link.reservation = reservation
                waiting.append(link)
            }
        }
        links = waiting
        return Dictionary(uniqueKeysWithValues: makers.map { ($0, firstCreated) })
    }

    /// Appends the objects of a batch one by one, each together with the reservations of objects of its own table that
    /// its record names. A row that may create its object comes before these reservations, because its record may name
    /// the object itself.
    ///
    /// - Parameter files: the bytes of files that are values of the objects; nil if the objects have no such values.
    private func appendInTurn(
        _ stream: AssembledStream, _ current: inout ObjectInstances, _ links: inout [SpooledLink],
        _ batch: inout RecordBatch, _ files: SpooledFiles?
    ) throws {
        let object = stream.object
        links.sort { ($0.instance, $0.position) < ($1.instance, $1.position) }
        let own: [(index: Int, target: CompiledKeyTarget)] = links.enumerated().compactMap { index, link in
            guard case .key(let target) = object.toOnes[link.position].target, target.makesMissing,
                assembled.destinations[target.resolver].table === stream.table
            else { return nil }
            return (index, target)
        }
        // Objects of other entities that the record names are there before its own object, which may be one of them.
        let isFirst =
            object.onMissing == .create && (object.onMatch == .update || object.onMatch == .fill)
            && own.allSatisfy { $0.target.slot == object.slot }
        // Keys are spooled in the order of the arrivals.
        current.prepared.digests = current.keyDigests(assembled.digester)
        var madeFrom: [Int: Int64] = [:]
        var next = 0
        /// Calls a closure while an object has the bytes of its files.
        func withFiles(of instance: Int, _ body: () throws -> Void) throws {
            guard let files else { return try body() }
            let heldBytes = try holdFiles(of: instance, stream, &current, &batch, files)
            try body()
            session.releaseFiles(of: instance, &current, &batch, heldBytes)
        }
        func appendRows(before end: Int) throws {
            while next < end {
                let range = next..<(files == nil ? end : next + 1)
                try withFiles(of: next) {
                    try stream.appendRows(&current, in: range, where: batchState.isRejected, arena: batch.arena)
                    try noteKeys(stream, current, in: range, batch, madeFrom)
                    try noteRecords(stream, current, in: range, batch)
                    try noteUniqueValues(stream, current, in: range, batch)
                }
                next = range.upperBound
            }
        }
        var place = 0
        while place < own.count {
            let instance = links[own[place].index].instance
            try appendRows(before: isFirst ? instance + 1 : instance)
            var reserved: [(reservation: Int64, link: SpooledLink, target: CompiledKeyTarget)] = []
            while place < own.count, case let (index, target) = own[place], links[index].instance == instance {
                let link = links[index]
                let moment = moment(stream, batch, Int(current.records[instance]), at: link.position)
                if case .reserved(let reservation) = try make(link.key, target, for: stream, at: moment) {
                    links[index].reservation = reservation
                    reserved.append((reservation, link, target))
                }
                place += 1
            }
            if !isFirst {
                let areSame = reserved.allSatisfy { $0.target.slot == object.slot }
                if object.onMatch != .skip, areSame { madeFrom[instance] = reserved.first?.reservation }
                try withFiles(of: instance) {
                    try stream.appendRows(
                        &current, in: instance..<instance + 1, where: batchState.isRejected, arena: batch.arena)
                }
            }
            for (reservation, link, target) in reserved {
                try noteMade(reservation, link.key, target, at: link.position, by: instance, stream, current, batch)
            }
            if !isFirst { try appendRows(before: instance + 1) }
        }
        try appendRows(before: current.count)
        stream.countLinks(of: current)
    }

    /// Returns the first instance of each key that its own record or a later one names. If records were read one by
    /// one, these instances would create the objects that are named.
    ///
    /// - Parameters:
    ///   - links: the links whose destinations are not in memory.
    ///   - stream: the stream of the instances.
    ///   - current: the instances.
    private func makers(
        behind links: [SpooledLink], _ stream: AssembledStream, _ current: ObjectInstances
    ) -> Set<Int> {
        // If objects are found by several keys, all rows are processed in the order of the records later.
        guard stream.identity != nil, stream.object.onMatch != .skip, stream.table.severalKeys == nil else { return [] }
        var namers: [KeyDigest: Int] = [:]
        for link in links where !batchState.isRejected[Int(current.records[link.instance])] {
            guard case .key(let target) = stream.object.toOnes[link.position].target, target.makesMissing
            else { continue }
            let destination = assembled.destinations[target.resolver]
            guard destination.table === stream.table, layout.model.isKind(target.slot, of: stream.object.slot)
            else { continue }
            let digest = assembled.digest(of: link.key, for: destination)
            namers[digest] = min(namers[digest] ?? link.instance, link.instance)
        }
        var makers: Set<Int> = []
        guard !namers.isEmpty else { return makers }
        for (instance, digest) in zip(current.keyed.lazy.map({ Int($0) }), current.keyDigests(assembled.digester)) {
            // Later instances with the key find the object.
            guard let namer = namers.removeValue(forKey: digest) else { continue }
            if instance <= namer { makers.insert(instance) }
        }
        return makers
    }

    /// Spools the references of `lateLinks`.
    @_optimize(speed)
    private func refer(
        _ links: LateLinks, _ stream: AssembledStream, _ current: ObjectInstances,
        _ batch: RecordBatch
    ) throws(BuildError) {
        let (position, count) = (links.position, current.toOneCount)
        guard case .key(let target) = stream.object.toOnes[position].target else { return }
        let destination = assembled.destinations[target.resolver]
        let known = current.prepared.references.first { $0.position == position }?.digests ?? []
        var (named, key): (NamedKeys, [UInt8]) = (NamedKeys(), [])
        var notes = SpoolEncoder()
        named.reserve(links.instances.count)
        for instance in links.instances where !batchState.isRejected[Int(current.records[instance])] {
            let record = Int(current.records[instance])
            key.removeAll(keepingCapacity: true)
            _ = KeyBytes.append(current.toOneCells[instance * count + position], in: batch.arena, to: &key)
            named.digests.append(known.isEmpty ? assembled.digester.digest(of: key.span) : known[instance])
            named.owners.append(current.primaryKeys[instance])
            SpooledNote.appendReference(
                record: session.recordNumber(batch, record), line: batch[record].line, object: stream.index,
                position: position, key: key.span, to: &notes)
            named.ends.append(notes.bytes.count)
            wait(record)
        }
        named.notes = notes.bytes
        try destination.keys.refer(named, as: destination.entity, from: stream.table, link: stream.links[position])
    }

    /// Spools the references whose destinations are not in memory.
    private func refer(
        _ links: [SpooledLink], _ stream: AssembledStream, _ current: ObjectInstances,
        _ batch: RecordBatch
    ) throws {
        var note = SpoolEncoder()
        var lateRecords = Set<Int>()
        typealias Target = (target: CompiledKeyTarget, isRequired: Bool, isOfKey: Bool)
        let targets = stream.object.toOnes.enumerated().map { position, relationship -> Target? in
            guard case .key(let target) = relationship.target else { return nil }
            let isOfKey = stream.object.keyRelationships.contains(position) && !target.makesMissing
            return (target, isOfKey || relationship.isNeeded(target), isOfKey)
        }
        for link in links {
            guard let (target, isRequired, isOfKey) = targets[link.position] else { continue }
            let (destination, creates) = (assembled.destinations[target.resolver], target.makesMissing)
            let slot = target.slot
            let record = Int(current.records[link.instance])
            let number = session.recordNumber(batch, record)
            let arrival = current.primaryKeys[link.instance]
            SpooledNote.reference(
                record: number, line: batch[record].line, object: stream.index, position: link.position,
                ordinal: 0, key: link.key.bytes
            ).encode(into: &note)
            try destination.keys.refer(
                assembled.digest(of: link.key, for: destination), as: destination.entity,
                from: LinkEnd(
                    stream.table, arrival: arrival, link: stream.links[link.position], isRequired: isRequired,
                    needsEarlier: isOfKey,
                    isKnownAtOnce: isOfKey || !scope.canAppear(slot, from: session.reading.file),
                    // If missing objects are created, each reference has a destination immediately. Otherwise, it has
                    // one if an earlier record has created the object.
                    before: creates ? .max : destination.table === stream.table ? arrival : destination.table.next,
                    at: moment(stream, batch, record, at: link.position), isLast: stream.isLast[link.position],
                    reservation: link.reservation ?? 0, creates: creates),
                payload: note.bytes.span)
            // For objects of the same table that are reserved in turn, this has already been recorded.
            if let reservation = link.reservation, stream.mayBeRejected,
                !stream.reservesInTurn || destination.table !== stream.table
            {
                try noteMade(
                    reservation, link.key, target, at: link.position, by: link.instance, stream, current, batch)
            }
            wait(record)
            if isRequired, lateRecords.insert(record).inserted { try keepLate(record, batch) }
        }
        if !lateRecords.isEmpty { forgetTable(of: stream) }
    }

    /// Keeps a record that may be rejected after all records have been read.
    func keepLate(_ record: Int, _ batch: RecordBatch) throws {
        try linkStage.absent.append(session.entry(session.recordNumber(batch, record), record, batch))
    }

    /// Removes the keys of a stream's table from memory, because its objects may be rejected. Destinations in the table
    /// are then looked up after all records have been read.
    func forgetTable(of stream: AssembledStream) {
        forgetTable(stream.object.table.root)
    }

    /// Removes the keys of a table from memory, so that destinations in it are looked up after all records have been
    /// read.
    func forgetTable(_ root: Int) {
        for resolver in resolvers where resolver.entityTable.root == root { resolver.forgetAll() }
    }

    /// Spools the keys of some objects.
    ///
    /// - Parameters:
    ///   - range: the instances of the objects.
    ///   - madeFrom: the instances that create objects which later records or they themselves name, each with the first
    ///     arrival that may be such an object.
    @_optimize(speed)
    private func noteKeys(
        _ stream: AssembledStream, _ current: ObjectInstances, in range: Range<Int>, _ batch: RecordBatch,
        _ madeFrom: [Int: Int64]
    ) throws {
        for (keys, attributes) in stream.names {
            var key: [UInt8] = []
            for instance in range where current.states[instance] == .inserted {
                key.removeAll(keepingCapacity: true)
                let isWhole = attributes.allSatisfy {
                    KeyBytes.append(current.cell(instance, $0), in: batch.arena, to: &key)
                }
                guard isWhole else { continue }
                try keys.add(
                    assembled.digester.digest(of: key.span), row: current.primaryKeys[instance],
                    entity: stream.keyEntity)
            }
        }
        guard let identity = stream.identity else {
            // Other objects may set a link of an object that does not mention it, or find an object that has no key of
            // its own.
            let isNoted = stream.isPaired || stream.table.severalKeys != nil
            for instance in range where isNoted && current.states[instance] == .inserted {
                try noteAbsent(instance, current.primaryKeys[instance], stream, current, madeFrom)
            }
            return
        }
        let digests = current.keyDigests(assembled.digester)
        let keyed = current.keyed(in: range)
        var note = SpoolEncoder()
        if stream.object.onMissing == .skip {
            var keys = digests[keyed]
            for instance in range {
                let digest = current.hasKey(instance) ? keys.popFirst() : nil
                guard current.states[instance] == .inserted else { continue }
                let arrival = current.primaryKeys[instance]
                if stream.object.onMatch == .error {
                    noteMismatch(instance, stream, current, batch, &note)
                    try identity.add(
                        digest, optionalRow: arrival, entity: stream.keyEntity, payload: note.bytes.span)
                } else {
                    try identity.add(digest, optionalRow: arrival, entity: stream.keyEntity)
                }
                try noteAbsent(instance, arrival, stream, current, madeFrom)
            }
            return
        }
        var hasLate = false
        for place in keyed {
            let instance = Int(current.keyed[place])
            guard current.states[instance] == .inserted else { continue }
            let arrival = current.primaryKeys[instance]
            let digest = digests[place]
            let record = Int(current.records[instance])
            if stream.object.isForSome {
                noteMismatch(instance, stream, current, batch, &note)
                if stream.object.onMatch == .error, stream.object.onMissing == .error || current.unfilled[instance] >= 0
                {
                    try identity.add(
                        digest, impossibleRow: arrival, entity: stream.keyEntity, payload: note.bytes.span)
                } else if stream.object.onMatch == .error {
                    try identity.add(digest, soleRow: arrival, entity: stream.keyEntity, payload: note.bytes.span)
                } else {
                    try identity.add(
                        digest, conditionalRow: arrival, entity: stream.keyEntity, payload: note.bytes.span)
                }
                try noteAbsent(instance, arrival, stream, current, madeFrom)
                hasLate = true
                continue
            }
            guard current.unfilled[instance] >= 0 else {
                try identity.add(digest, row: arrival, entity: stream.keyEntity)
                try noteAbsent(instance, arrival, stream, current, madeFrom)
                continue
            }
            SpooledNote.incomplete(
                record: session.recordNumber(batch, record), object: stream.index,
                positions: current.unfilledPositions(instance, stream.object)
            ).encode(into: &note)
            try identity.add(
                digest, conditionalRow: arrival, entity: stream.keyEntity, payload: note.bytes.span)
            try noteAbsent(instance, arrival, stream, current, madeFrom)
            try keepLate(record, batch)
            hasLate = true
        }
        if hasLate { forgetTable(of: stream) }
    }

    /// Makes the note about a record that is only for existing objects, or only for new ones.
    private func noteMismatch(
        _ instance: Int, _ stream: AssembledStream, _ current: ObjectInstances, _ batch: RecordBatch,
        _ note: inout SpoolEncoder
    ) {
        let record = Int(current.records[instance])
        let positions = current.unfilled[instance] < 0 ? [] : current.unfilledPositions(instance, stream.object)
        SpooledNote.mismatch(
            session.entry(session.recordNumber(batch, record), record, batch), object: stream.index,
            positions: positions
        ).encode(into: &note)
    }

    /// Records the columns and links that a record does not mention.
    @_optimize(speed)
    private func noteAbsent(
        _ instance: Int, _ arrival: Int64, _ stream: AssembledStream, _ current: ObjectInstances,
        _ madeFrom: [Int: Int64]
    ) throws {
        let first = madeFrom.isEmpty ? nil : madeFrom[instance]
        let (cells, toOnes) = (current.attributeCount, current.toOneCount)
        let isWhole =
            !current.cellPresent.span.contains(false, in: instance * cells..<(instance + 1) * cells)
            && !current.toOnePresent.span.contains(false, in: instance * toOnes..<(instance + 1) * toOnes)
        guard !isWhole || first != nil else { return }
        var words = [UInt64](repeating: 0, count: (cells + toOnes + 63) / 64)
        for position in 0..<cells where !current.cellPresent[instance * cells + position] {
            words[position / 64] |= 1 << UInt64(position % 64)
        }
        for position in 0..<toOnes where !current.toOnePresent[instance * toOnes + position] {
            words[(cells + position) / 64] |= 1 << UInt64((cells + position) % 64)
        }
        try stream.table.noteAbsent(words, of: arrival, madeFrom: first)
    }

    /// Adds the new objects to the resolvers.
    private func learn(_ stream: AssembledStream, _ current: ObjectInstances, _ batch: RecordBatch) throws {
        let learners = session.learners(of: stream.object)
        // A record that is skipped if its object does not exist does not always become an object.
        guard !learners.isEmpty, stream.object.onMissing != .skip else { return }
        for instance in 0..<current.count where current.states[instance] == .inserted {
            session.teach(learners, instance, current, stream.object, batch, current.primaryKeys[instance])
        }
    }

    /// Spools the keys by which records name the objects of a batch and that only the sources have, record after
    /// record, because the first of several objects with a key is found.
    private func noteAliases(_ source: SourceImport, _ streams: [AssembledStream]) throws(BuildError) {
        let entities = source.entitiesOfNewObjects.filter { streams[$0.index].aliases != nil }
        var named: [(record: Int32, entity: Int, instance: Int)] = []
        for (index, entity) in entities.enumerated() {
            let (object, stream) = (entity.object, streams[entity.index])
            // Not all instances with a key become objects, or are of the mapping's entity, which the keys in memory do
            // not show.
            if object.onMissing == .skip || stream.entity != nil && object.hasKey { forgetTable(of: stream) }
            for (instance, key) in entity.instances.sourceKeys.enumerated() {
                // An object that was left out because it repeats an earlier one has the same key.
                guard key != nil, entity.instances.states[instance] == .inserted else { continue }
                named.append((entity.instances.records[instance], index, instance))
            }
        }
        if entities.count > 1 {
            named.sort { ($0.record, $0.entity, $0.instance) < ($1.record, $1.entity, $1.instance) }
        }
        let learners = entities.map { entity in
            resolvers.filter { resolver in
                resolver.isSourceKey && resolver.key.parts.count == entity.object.sourceKey.count
                    && layout.model.isKind(entity.object.slot, of: resolver.slot)
            }
        }
        for (_, index, instance) in named {
            let entity = entities[index]
            guard let key = entity.instances.sourceKeys[instance], let aliases = streams[entity.index].aliases else {
                continue
            }
            let arrival = entity.instances.primaryKeys[instance]
            try aliases.keys.add(
                assembled.digester.digest(of: key.bytes.span), row: arrival,
                entity: aliases.entity(of: entity.object.slot))
            let target = KeyIndex.Target(primaryKey: arrival, entity: Int64(entity.object.entityNumber))
            for resolver in learners[index] { resolver.learn(key.bytes, target) }
        }
    }
}

extension ArenaValue {
    /// Whether the value is NULL, which comparing whole values takes longer to find out.
    fileprivate var isNull: Bool { if case .null = self { true } else { false } }
}

extension Span where Element == Bool {
    @inline(__always)
    fileprivate func contains(_ value: Bool, in range: Range<Int>) -> Bool {
        for index in range where self[index] == value { return true }
        return false
    }
}

extension ObjectAssembly {
    /// Returns the digest of a key, as its destination spools it.
    func digest(of key: ReferenceKey, for destination: Destination) -> KeyDigest {
        if destination.order.count == 1 { return digester.digest(of: key.bytes.span) }
        if destination.keys.isChanging {
            // Records may change a single part of the key.
            let digests = key.values.map { (value) -> KeyDigest in
                var bytes: [UInt8] = []
                _ = KeyBytes.append(value, to: &bytes)
                return digester.digest(of: bytes.span)
            }
            return digests.dropFirst().reduce(digests[0]) { $0.joined(with: $1) }
        }
        var bytes: [UInt8] = []
        for part in destination.order { _ = KeyBytes.append(key.values[part], to: &bytes) }
        return digester.digest(of: bytes.span)
    }
}

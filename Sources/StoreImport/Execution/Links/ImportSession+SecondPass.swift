import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// What waits until all records are read.
extension ImportSession {
    /// Writes the links that waited; then the bookkeeping.
    func finish() throws -> ImportReport {
        // No key comes any more: the memory is for the indexes.
        for entity in entities { entity.keyHistory = nil }
        try finishAssembly()
        try endLargeLoads()
        try settleNeeds()
        areLinksWritten = true
        try writePendingLinks()
        try endLinks()
        try checkCounts()
        // What was taken back may have changed where links lead.
        if hasFollowedLostLinks { try endLinks() }
        try deleteAbsent()
        try writeAbsentLinks()
        try writeTakenRecords()
        for entity in entities {
            for relationship in entity.relationships { try relationship.replacement?.close() }
            try entity.partOwner?.close()
        }
        for keys in sourceKeys.values { try keys.close() }
        try mirror?.close()
        try openRecords?.close()
        try taken?.close()
        try named?.close()
        try said?.close()
        try firstDestinations.close()
        try absent.close()
        try pending.close()
        try history?.finish()
        try keys.store(in: connection)
        for resolver in resolvers {
            let name = layout.model.entities[resolver.slot].name
            if resolver.created > 0 {
                entityReports[name, default: .init(entity: name)].inserted += resolver.created
            }
            if resolver.hasDuplicates {
                report.findings.append(
                    "\(name): several objects have the same \(resolver.keyName); links lead to the first")
            }
        }
        report.entities = entityReports.values.sorted { $0.entity < $1.entity }
        return report
    }

    /// Ends the links that records name no more, and puts the others in order.
    private func endLinks() throws {
        // Several mappings of a relationship share what is known of its links.
        var ending: [(replacement: LinkReplacement, link: Int64)] = []
        for entity in entities {
            for (slot, relationship) in entity.relationships.enumerated() {
                guard let replacement = relationship.replacement else { continue }
                if !ending.contains(where: { $0.replacement === replacement }) {
                    ending.append((replacement, relationship.number))
                    if let taken, !taken.isEmpty { try replacement.removeRecords(of: taken) }
                    if relationship.isRuled { try noteSurplus(replacement, entity.object, relationship) }
                }
                if replacement.replaces, let place = mirror?.partPlace(entity, slot) {
                    try mirror?.noteReplaced(replacement.surplusDestinations, at: place)
                }
            }
        }
        for (replacement, link) in ending {
            count(.unrelated, try replacement.endOthers(), ofLink: link)
            try replacement.order()
        }
    }

    /// Notes the links that are about to end, so that the records that end them can be taken back.
    private func noteSurplus(
        _ replacement: LinkReplacement, _ object: CompiledObject, _ relationship: RelationshipImport
    ) throws {
        guard let openRecords, replacement.replaces else { return }
        let place = replacement.place
        let destination = relationship.compiled.relationship.destination
        let statement = try replacement.surplus()
        while try statement.step() {
            let (record, owner, other) = (statement.integer(0), statement.integer(1), statement.integer(2))
            guard !statement.isNull(0), try openRecords.contains(record: record) else { continue }
            // Each link of a relationship that is its own inverse is two rows.
            if !replacement.isSymmetric || owner < other {
                noteCount(.unrelated, links[relationship.number].slot, of: record)
            }
            noteAffected(object.slot, owner, of: record)
            noteAffected(destination, other, of: record)
            if place.kind == .joinTable {
                var columns = [place.owner, place.destination]
                var values = [String(owner), String(other)]
                for (column, index) in [(place.order, Int32(3)), (place.inverseOrder, 4)] {
                    guard let column, !statement.isNull(index) else { continue }
                    columns.append(column)
                    values.append(String(statement.integer(index)))
                }
                log.changes.append(
                    (
                        record,
                        StoreChange(
                            kind: .unlinked, table: place.table, key: owner, column: columns.joined(separator: ", "),
                            old: .string(values.joined(separator: ", ")), new: .null)
                    ))
            } else {
                for (column, value) in [(place.owner, SQLiteValue.integer(owner)), (place.order, statement.value(3))] {
                    guard let column else { continue }
                    log.changes.append(
                        (
                            record,
                            StoreChange(
                                kind: .cell, table: place.table, key: other, column: column, old: value, new: .null)
                        ))
                }
            }
        }
        try keepLog()
    }

    func keepAffected() throws {
        guard let openRecords else { return }
        for (record, object) in log.affected where try openRecords.contains(record: record) {
            try openRecords.append(object, of: record)
        }
        log.affected.removeAll(keepingCapacity: true)
    }

    /// Keeps what open records changed, when all records are read.
    func keepLog() throws {
        guard let openRecords else { return }
        try keepAffected()
        for (record, count) in log.counts where try openRecords.contains(record: record) {
            try openRecords.append(count, of: record)
        }
        for (record, change) in log.changes where try openRecords.contains(record: record) {
            try openRecords.append(change, of: record)
        }
        log.removeAll()
    }

    func writePendingLinks() throws {
        if let taken, !taken.isEmpty {
            for relationship in entities.flatMap(\.relationships) {
                try relationship.replacement?.removeRecords(of: taken)
            }
        }
        try pending.forEachBatch(of: options.fixedLimits.waitingLinks) { links in
            try forEachRelationship(links) { links in
                var refusals: [(record: Int64, rejection: RecordRejection)] = []
                try write(links) { refusals.append(($0, $1)) }
                try takeBack(refusals)
            }
        }
        try append(absences: filled.end())
    }

    /// Calls a closure with the links of each mapping's relationship.
    func forEachRelationship(_ links: [PendingLink], _ body: (ArraySlice<PendingLink>) throws -> Void) throws {
        if options.isCancelled?() ?? false { throw ImportError.cancelled }
        var start = 0
        while start < links.count {
            var end = start
            while end < links.count, links[end].source == links[start].source,
                links[end].object == links[start].object,
                links[end].relationship == links[start].relationship
            {
                end += 1
            }
            try body(links[start..<end])
            start = end
        }
    }

    /// The links of one relationship whose records have not been taken back, with their keys; what is there of their
    /// destinations is known then.
    func keyed(
        _ links: ArraySlice<PendingLink>, _ resolver: ReferenceResolver
    ) throws -> [(link: PendingLink, key: ReferenceKey)] {
        let keyed = try links.compactMap { link -> (link: PendingLink, key: ReferenceKey)? in
            guard !link.key.isEmpty, try !(taken?.contains(link.record) ?? false) else { return nil }
            return ReferenceKey(link.key).map { (link: link, key: $0) }
        }
        if !resolver.isCached, !keyed.isEmpty {
            for (table, columns) in resolver.indexedColumns { try indexes.require(columns, of: table) }
            if keys.hadObjects { try cache.need(connection) }
            try resolver.fetch(keyed.map(\.key))
        }
        return keyed
    }

    /// Writes links of one relationship whose destinations are there or can be made; notes the others as absent.
    ///
    /// - Parameter refuse: gets each record that may not be imported without a link that is absent.
    func write(
        _ links: ArraySlice<PendingLink>, refuse: (_ record: Int64, _ rejection: RecordRejection) throws -> Void
    ) throws {
        guard let first = links.first else { return }
        let object = object(of: first)
        let relationship = relationship(of: first)
        guard case .key(let target) = relationship.compiled.target, let writer = relationship.writer else { return }
        let resolver = resolvers[target.resolver]
        for (link, key) in try keyed(links, resolver) {
            if link.role.contains(.filling) { try append(absences: filled.begin(link)) }
            let counts = try isCounting(link, relationship, writer)
            // What a record names is made, whatever becomes of the link.
            guard counts || link.role.contains(.creating) && !link.role.contains(.ifMade) else { continue }
            if try openRecords?.contains(record: link.record) ?? false { log.open.insert(link.record) }
            var found = resolver.target(of: key.bytes)
            if found == nil {
                found = try create(key, target, resolver, for: link.record)
                // The next link to it must find out who made it.
                if found != nil { try keepAffected() }
            }
            guard counts else { continue }
            if let found {
                if link.role.contains(.filling) { filled.fill(with: link) }
                try write(link, by: writer, leadingTo: found, target, object)
            } else if log.open.contains(link.record),
                let refusal = refusal(key, target, object, relationship.compiled)
            {
                try refuse(link.record, refusal)
            } else if link.role.contains(.filling) {
                filled.leave(link)
            } else {
                if link.isToOne { try unlink(link, writer, target) }
                try absent.append(link)
            }
        }
        try keepLog()
    }

    private func append(absences: [PendingLink]) throws {
        for link in absences { try absent.append(link) }
    }

    /// Whether an object gets a link, if it leads somewhere: what a later record replaces does not count, and what is
    /// filled is what is empty still.
    private func isCounting(
        _ link: PendingLink, _ relationship: RelationshipImport, _ writer: LinkWriter
    ) throws -> Bool {
        if !link.role.isDisjoint(with: [.ifMade, .checked]) { return false }
        if link.role.contains(.filling) {
            // A list has the links of one record.
            if !link.isToOne, filled.isFilled(by: link) { return true }
            return try !writer.hasLinks(link.owner)
        }
        if link.isToOne { return try !pending.isReplaced(link, without: taken?.table) }
        guard let replacement = relationship.replacement, replacement.replaces else { return true }
        return try replacement.lastRecord(of: link.owner).map { link.record >= $0 } ?? true
    }

    private func write(
        _ link: PendingLink, by writer: LinkWriter, leadingTo found: KeyIndex.Target, _ target: CompiledKeyTarget,
        _ object: CompiledObject
    ) throws {
        if let replacement = relationship(of: link).replacement, link.isReplacing || replacement.notesNewObjects {
            // The other direction of a link is another object's.
            if link.role.contains(.filling), replacement.isSymmetric {
                try replacement.note(owner: link.owner, record: link.record)
            }
            try replacement.note(
                owner: link.owner, destination: found.primaryKey, record: link.record, place: link.place,
                ordinal: link.ordinal)
        }
        let owner = KeyIndex.Target(primaryKey: link.owner, entity: link.ownerEntity)
        let before = link.isToOne ? try writer.destination(of: link.owner) ?? 0 : 0
        let isNew =
            try link.isToOne
            ? writeToOne(link, writer) { try writer.link(owner: owner, destination: found) }
            : loggingLink(link.record, writer, owner, found)
        try noteNamed(link, leadingTo: found, target, isCounted: isNew)
        guard isNew else { return }
        if link.isToOne {
            try countToOne(link.number, of: link.owner, from: before, to: found.primaryKey)
        } else {
            count(.related, 1, ofLink: link.number)
            noteCount(.related, links[link.number].slot, of: link.record)
        }
        if relationship(of: link).isRuled {
            noteAffected(object.slot, owner.primaryKey, entity: owner.entity, of: link.record)
            noteAffected(target.slot, found.primaryKey, entity: found.entity, of: link.record)
        }
        if link.isToOne, let inverse = relationship(of: link).inverse {
            try loggingInverse(link.record, inverse, owner: owner, destination: found.primaryKey)
        }
    }

    /// Writes what a to-one leads to, and keeps it with what the record says of the object.
    private func writeToOne<Result>(
        _ link: PendingLink, _ writer: LinkWriter, _ body: () throws -> Result
    ) throws -> Result {
        let mapping = links[link.number]
        let isOpen = log.open.contains(link.record)
        guard let said, try isOpen || said.contains(link.owner, root: mapping.root) else { return try body() }
        let place = writer.place
        let columns = [place.destination, place.entity].compactMap { $0 }
        let before = try cells(place.table, link.owner, columns)
        let result = try logging(link.record, place.table, link.owner, ["Z_OPT"], body)
        if isOpen {
            for (column, value) in zip(columns, before) {
                try said.keep(value, in: column, of: link.owner, root: mapping.root)
            }
        }
        let after = try cells(place.table, link.owner, columns)
        try said.append(
            RecordedObject(
                record: link.record, source: link.source, mapping: link.object,
                policy: link.role.contains(.filling) ? .fill : .update,
                cells: zip(columns, after).map { RecordedObject.Cell(column: $0, value: $1, isSaid: true) }),
            of: link.owner, root: mapping.root)
        return result
    }

    /// Ends what a to-one led to before: the record names another object, which is nowhere.
    private func unlink(_ link: PendingLink, _ writer: LinkWriter, _ target: CompiledKeyTarget) throws {
        let old = try writeToOne(link, writer) { try writer.unlink(owner: link.owner) }
        guard let old else { return }
        try countToOne(link.number, of: link.owner, from: old, to: 0)
        if relationship(of: link).isRuled {
            noteAffected(target.slot, old, of: link.record)
        }
        if let inverse = relationship(of: link).inverse {
            let owner = KeyIndex.Target(primaryKey: link.owner, entity: link.ownerEntity)
            try loggingInverse(link.record, inverse, owner: owner, destination: 0)
        }
    }

    /// Why a record is rejected that names an object which never came; nil if the link is only left out.
    func refusal(
        _ key: ReferenceKey, _ target: CompiledKeyTarget, _ object: CompiledObject, _ relationship: CompiledRelationship
    ) -> RecordRejection? {
        let entity = layout.model.entities[target.slot].name
        let isOptional = relationship.relationship.isOptional
        var message: String?
        if let unfilled = target.unfilled {
            message = "no object of \(entity) has this key, and none can be created from it: \(unfilled) needs a value"
        } else if target.missing == .required || (!isOptional && !relationship.relationship.isToMany) {
            message = "no object of \(entity) has this key, neither in the store nor in the sources"
        }
        return message.map { message in
            RecordRejection(
                source: "", line: 0, byteOffset: 0, column: target.sourceName, entity: object.entityName,
                property: relationship.name, code: 133000, value: key.values.first?.blobOrText ?? [], message: message)
        }
    }
}

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
        var ending: [(replacement: LinkReplacement, entity: String)] = []
        for entity in entities {
            for (slot, relationship) in entity.relationships.enumerated() {
                guard let replacement = relationship.replacement else { continue }
                if !ending.contains(where: { $0.replacement === replacement }) {
                    ending.append((replacement, entity.object.entityName))
                    if let taken, !taken.isEmpty { try replacement.removeRecords(of: taken) }
                    if relationship.isRuled { try noteSurplus(replacement, entity.object, relationship.compiled) }
                }
                if replacement.replaces, let place = mirror?.partPlace(entity, slot) {
                    try mirror?.noteReplaced(replacement.surplusDestinations, at: place)
                }
            }
        }
        for (replacement, entity) in ending {
            let ended = try replacement.endOthers()
            if ended > 0 { entityReports[entity, default: .init(entity: entity)].unrelated += ended }
            try replacement.order()
        }
    }

    /// Notes the links that are about to end, so that the records that end them can be taken back.
    private func noteSurplus(
        _ replacement: LinkReplacement, _ object: CompiledObject, _ relationship: CompiledRelationship
    ) throws {
        guard let openRecords, replacement.replaces else { return }
        let place = replacement.place
        let destination = relationship.relationship.destination
        let statement = try replacement.surplus()
        while try statement.step() {
            let (record, owner, other) = (statement.integer(0), statement.integer(1), statement.integer(2))
            guard !statement.isNull(0), try openRecords.contains(record: record) else { continue }
            // Each link of a relationship that is its own inverse is two rows.
            if !replacement.isSymmetric || owner < other { noteCount(.unrelated, object.slot, of: record) }
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

    private func keepAffected() throws {
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
        try pending.forEachBatch(of: options.fixedLimits.waitingLinks) { links in
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
                try writePending(links[start..<end])
                start = end
            }
        }
    }

    private func writePending(_ links: ArraySlice<PendingLink>) throws {
        var refusals: [(record: Int64, rejection: RecordRejection)] = []
        try write(links) { refusals.append(($0, $1)) }
        try takeBack(refusals)
    }

    /// Writes links of one relationship whose destinations are there or can be made; notes the others as absent.
    ///
    /// - Parameter refuse: gets each record that may not be imported without a link that is absent.
    func write(
        _ links: ArraySlice<PendingLink>, refuse: (_ record: Int64, _ rejection: RecordRejection) throws -> Void
    ) throws {
        guard let first = links.first else { return }
        let object = object(of: first)
        let relationship = relationship(of: first).compiled
        guard case .key(let target) = relationship.target,
            let writer = self.relationship(of: first).writer
        else { return }
        let resolver = resolvers[target.resolver]
        let keyed = try links.compactMap { link in
            try taken?.contains(link.record) ?? false ? nil : ReferenceKey(link.key).map { (link, $0) }
        }
        if !resolver.isCached, !keyed.isEmpty {
            for (table, columns) in resolver.indexedColumns { try indexes.require(columns, of: table) }
            if keys.hadObjects { try cache.need(connection) }
            try resolver.fetch(keyed.map(\.1))
        }
        for (link, key) in keyed {
            // What is filled is what is empty still; a to-many's links are of one record.
            if object.onMatch == .fill, link.toOne != nil, try writer.hasLinks(link.owner) { continue }
            if try openRecords?.contains(record: link.record) ?? false { log.open.insert(link.record) }
            var found = resolver.target(of: key.bytes)
            if found == nil {
                found = try create(key, target, resolver, for: link.record)
                // The next link to it must find out who made it.
                if found != nil { try keepAffected() }
            }
            if let found {
                try write(link, by: writer, leadingTo: found, target, object)
            } else if log.open.contains(link.record), let refusal = refusal(key, target, object, relationship) {
                try refuse(link.record, refusal)
            } else {
                if link.toOne != nil, object.onMatch == .update { try unlink(link, writer, object, target) }
                try absent.append(link)
            }
        }
        try keepLog()
    }

    private func write(
        _ link: PendingLink, by writer: LinkWriter, leadingTo found: KeyIndex.Target, _ target: CompiledKeyTarget,
        _ object: CompiledObject
    ) throws {
        if let replacement = relationship(of: link).replacement, link.isReplacing || replacement.notesNewObjects {
            try replacement.note(
                owner: link.owner, destination: found.primaryKey, record: link.record, place: link.place,
                ordinal: link.ordinal)
        }
        let owner = KeyIndex.Target(primaryKey: link.owner, entity: link.ownerEntity)
        let isNew = try loggingLink(link.record, writer, owner, found)
        try noteNamed(link, leadingTo: found, target, isCounted: isNew)
        guard isNew else { return }
        entityReports[object.entityName, default: .init(entity: object.entityName)].related += 1
        noteCount(.related, object.slot, of: link.record)
        if relationship(of: link).isRuled {
            noteAffected(object.slot, owner.primaryKey, entity: owner.entity, of: link.record)
            noteAffected(target.slot, found.primaryKey, entity: found.entity, of: link.record)
        }
        if link.relationship < object.toOnes.count,
            let inverse = relationship(of: link).inverse
        {
            try loggingInverse(link.record, inverse, owner: owner, destination: found.primaryKey)
        }
    }

    /// Ends what a to-one led to before: the record names another object, which is nowhere.
    private func unlink(
        _ link: PendingLink, _ writer: LinkWriter, _ object: CompiledObject, _ target: CompiledKeyTarget
    ) throws {
        let place = writer.place
        let old = try logging(
            link.record, place.table, link.owner, [place.destination, place.entity, "Z_OPT"].compactMap { $0 }
        ) { try writer.unlink(owner: link.owner) }
        guard let old else { return }
        entityReports[object.entityName, default: .init(entity: object.entityName)].unrelated += 1
        noteCount(.unrelated, object.slot, of: link.record)
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

import ImportMappings
import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Links that wait until all records are read.
extension Settlement {
    /// Ends the links that records no longer name, and orders the others.
    func endLinks() throws {
        // Several mappings of a relationship share their `LinkReplacement`.
        var ending: [(replacement: LinkReplacement, slot: Int)] = []
        for entity in entities {
            for (slot, relationship) in entity.relationships.enumerated() {
                guard let replacement = relationship.replacement else { continue }
                if !ending.contains(where: { $0.replacement === replacement }) {
                    ending.append((replacement, entity.object.slot))
                    if let taken, !taken.isEmpty { try replacement.removeRecords(of: taken) }
                    if relationship.isRuled { try noteSurplus(replacement, entity.object, relationship) }
                }
                if !relationship.compiled.adds, let place = session.mirror?.partPlace(entity, slot) {
                    try session.mirror?.noteReplaced(replacement.surplusDestinations, at: place)
                }
            }
        }
        for (replacement, slot) in ending {
            linkCounts.count(.unrelated, try replacement.endOthers(), in: slot)
            try replacement.order()
        }
    }

    /// Notes the links that are about to end, so that the records that end them can be revoked.
    @_optimize(size)
    private func noteSurplus(
        _ replacement: LinkReplacement, _ object: CompiledObject, _ relationship: RelationshipImport
    ) throws {
        guard let unproven, replacement.replaces else { return }
        let place = replacement.place
        let destination = relationship.compiled.relationship.destination
        let statement = try replacement.surplus()
        while try statement.step() {
            let (record, owner, other) = (statement.integer(0), statement.integer(1), statement.integer(2))
            guard !statement.isNull(0), try unproven.records.contains(record: record) else { continue }
            // A link of a relationship that is its own inverse has two rows.
            if !replacement.isSymmetric || owner < other {
                log.noteCount(.unrelated, object.slot, of: record)
            }
            log.noteAffected(object.slot, owner, of: record)
            log.noteAffected(destination, other, of: record)
            if place.kind == .joinTable {
                var columns = [place.owner, place.destination]
                var values = [String(owner), String(other)]
                for (column, index) in [(place.order, Int32(3)), (place.inverseOrder, 4)] {
                    guard let column, !statement.isNull(index) else { continue }
                    columns.append(column)
                    values.append(String(statement.integer(index)))
                }
                log.note(
                    StoreChange(
                        kind: .unlinked, table: place.table, key: owner, column: columns.joined(separator: ", "),
                        old: .string(values.joined(separator: ", ")), new: .null), of: record)
            } else {
                for (column, value) in [(place.owner, SQLiteValue.integer(owner)), (place.order, statement.value(3))] {
                    guard let column else { continue }
                    log.note(
                        StoreChange(
                            kind: .cell, table: place.table, key: other, column: column, old: value, new: .null),
                        of: record)
                }
            }
        }
        try log.keep()
    }

    /// Makes both sides of one-to-one links agree if records were revoked after the links were written, and then writes
    /// the remaining links again in their order.
    func settleOneToOnes() throws {
        guard let unproven, !unproven.oneToOnes.isEmpty else { return }
        try unproven.oneToOnes.mend { key, number, destination in
            try linkCounts.countToOne(
                linkCounts.owner(key, number, else: links[number].relationship.owner), from: destination, to: 0)
        }
        guard try linkStage.pending.has(.exclusive) else { return }
        // Links that lists have ended must end again.
        unproven.hasFollowedLostLinks = true
        try writePendingLinks(.exclusive)
    }

    /// Writes the pending links.
    ///
    /// - Parameter role: limits the links to those with one of these roles; nil for all links.
    func writePendingLinks(_ role: PendingLink.Role? = nil) throws {
        if let taken, !taken.isEmpty {
            for relationship in entities.flatMap(\.relationships) {
                try relationship.replacement?.removeRecords(of: taken)
            }
        }
        try linkStage.pending.forEachBatch(of: options.fixedLimits.waitingLinks, role, inverses: oneToOneInverses) {
            links in
            try forEachRelationship(links) { links in
                var refusals: [(record: Int64, rejection: RejectionReason)] = []
                try write(links) { refusals.append(($0, $1)) }
                try takeBack(refusals)
            }
        }
        try append(absences: linkStage.filled.end())
    }

    /// The number of the inverse, by the number of a relationship, if one of the two is to-one and the inverse is
    /// mapped first. The links of both are written together, in the order of the records.
    private var oneToOneInverses: [Int64: Int64] {
        var inverses: [Int64: Int64] = [:]
        for (number, mapping) in links.mappings.enumerated() {
            guard let inverse = mapping.relationship.inverse,
                !mapping.relationship.isToMany || !inverse.isToMany,
                let other = links.number(of: inverse.key), other < Int64(number)
            else { continue }
            inverses[Int64(number)] = other
        }
        return inverses
    }

    /// Calls a closure with each run of links that belong to the same relationship of the same mapping.
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

    /// Returns the links of one relationship whose records have not been revoked, with their keys, and looks up their
    /// destinations. Links that only end an existing link have no key.
    func keyed(
        _ links: ArraySlice<PendingLink>, _ resolver: ReferenceResolver
    ) throws -> [(link: PendingLink, key: ReferenceKey?)] {
        let keyed = try links.compactMap { link -> (link: PendingLink, key: ReferenceKey?)? in
            guard !link.key.isEmpty || link.role.contains(.ending),
                try !(taken?.contains(link.record) ?? false), try hasOwner(link)
            else { return nil }
            if link.role.contains(.ending) { return (link, nil) }
            return ReferenceKey(link.key).map { (link: link, key: $0) }
        }
        if !resolver.isCached, !keyed.isEmpty {
            for (table, columns) in resolver.indexedColumns { try indexes.require(columns, of: table) }
            if session.keys.hadObjects { try session.cache.need(connection) }
            try resolver.fetch(keyed.compactMap(\.key))
        }
        return keyed
    }

    /// Returns whether the owner of a link exists: objects that no record creates any more are removed while links are
    /// written. A record that is skipped because its object is missing has none.
    private func hasOwner(_ link: PendingLink) throws -> Bool {
        guard unproven?.hasUnmadeObjects ?? false, link.owner != 0 else { return true }
        return try exists(link.owner, root: object(of: link).table.root)
    }

    /// Returns the reason for which a record is rejected if the object that it names does not exist; nil if only the
    /// link is left out.
    func refusal(
        _ key: ReferenceKey, _ target: CompiledKeyTarget, _ object: CompiledObject,
        _ relationship: CompiledRelationship,
        isKey: Bool = false
    ) -> RejectionReason? {
        let entity = layout.model.entities[target.slot].name
        let fault: RejectionFault
        if isKey {
            fault = .noObjectYet(entity: entity)
        } else if let unfilled = target.unfilled {
            fault = .notCreatable(entity: entity, lacking: unfilled)
        } else if target.missing == .required
            || !relationship.relationship.isOptional && !relationship.relationship.isToMany
        {
            fault = .noObject(entity: entity)
        } else {
            return nil
        }
        return object.reason(
            fault, relationship.name, column: target.sourceName, value: key.values.first?.blobOrText ?? [])
    }
}

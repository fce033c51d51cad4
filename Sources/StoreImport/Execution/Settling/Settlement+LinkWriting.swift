import ImportMappings
import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Writing of the pending links.
extension Settlement {
    /// Writes links of one relationship whose destinations exist or can be created, and notes the others as absent.
    ///
    /// - Parameter refuse: called with each record that cannot be imported because its link is absent, and the reason.
    @_optimize(size)
    func write(
        _ links: ArraySlice<PendingLink>, refuse: (_ record: Int64, _ rejection: RejectionReason) throws -> Void
    ) throws {
        guard let first = links.first else { return }
        let object = object(of: first)
        let relationship = relationship(of: first)
        guard let writer = relationship.writer else { return }
        guard case .key(let target) = relationship.compiled.target else {
            for link in links where try !(taken?.contains(link.record) ?? false) {
                try writeKnown(link, by: writer, object, refuse)
            }
            return try log.keep()
        }
        let resolver = resolvers[target.resolver]
        for (link, key) in try keyed(links, resolver) {
            if link.isFillingInTurn { try append(absences: linkStage.filled.begin(link)) }
            let counts = try isCounting(link, relationship, writer)
            // An object that a record names is created, no matter what happens to the link.
            let isMention = !counts && isMention(link, relationship)
            guard counts || isMention || link.createsInAnyCase else { continue }
            if try unproven?.records.contains(record: link.record) ?? false { log.open.insert(link.record) }
            guard let key else {
                if counts { try unlink(link, writer, target.slot) }
                continue
            }
            var found = resolver.target(of: key.bytes)
            if found == nil {
                found = try destination(key, target, link, refuse)
                // The next link to this object must find out which record created it.
                if found != nil { try log.keepAffected() }
            }
            if isMention, let found {
                try relationship.inverse?.arrivals?.note(link.owner, of: found.primaryKey, record: link.record)
            }
            guard counts else {
                // If the record of the object is revoked, this one creates it.
                if let found, link.createsInAnyCase {
                    var checked = link
                    checked.role.insert(.checked)
                    try noteNamed(checked, leadingTo: found, target, isCounted: false)
                }
                continue
            }
            // Of the records that fill nothing, only the last one is reported.
            if link.isFillingInTurn, link.role.contains(.ofAllOwners) {
                try linkStage.absent.removeFilling(link.number, of: link.owner)
            }
            if let found {
                if link.isFillingInTurn { linkStage.filled.fill(with: link) }
                if link.isToOne, link.role.contains(.filling) {
                    try linkStage.absent.remove(link.number, of: link.owner)
                }
                try settlingConflict(of: link, writer, leadingTo: found, refuse) {
                    try write(link, by: writer, leadingTo: found, target.slot, target, object)
                }
            } else if log.open.contains(link.record),
                let refusal = refusal(key, target, object, relationship.compiled)
            {
                try refuse(link.record, refusal)
            } else {
                let isFilling = link.role.contains(.filling)
                // Of the records that fill nothing, only the last one is reported.
                if isFilling, link.isToOne { try linkStage.absent.remove(link.number, of: link.owner) }
                if link.isFillingInTurn {
                    linkStage.filled.leave(link)
                    continue
                }
                if link.isToOne, !isFilling { try unlink(link, writer, target.slot) }
                if try !link.role.contains(.exclusive) || !isReplaced(link, relationship) {
                    try linkStage.absent.append(link)
                }
            }
        }
        try log.keep()
    }

    /// Notes links whose destinations do not exist, except those of lists that later ones replace.
    func append(absences: [PendingLink]) throws {
        for link in absences where try link.isToOne || !isReplaced(link, relationship(of: link)) {
            try linkStage.absent.append(link)
        }
    }

    /// Returns whether a link that a later record has replaced still determines when its object was first linked to the
    /// owner.
    private func isMention(_ link: PendingLink, _ relationship: RelationshipImport) -> Bool {
        link.isToOne && relationship.inverse?.arrivals != nil
            && link.role.isDisjoint(with: [.ifMade, .checked, .filling])
    }

    /// Returns whether an object gets a link if its destination exists: links that a later record replaces do not
    /// apply, and links that fill a relationship apply only while it is empty.
    private func isCounting(
        _ link: PendingLink, _ relationship: RelationshipImport, _ writer: LinkWriter
    ) throws -> Bool {
        if !link.role.isDisjoint(with: [.ifMade, .checked]) { return false }
        if link.role.contains(.filling) {
            if try isEnded(link, relationship) { return false }
            // A list is filled with the links of one record.
            if !link.isToOne, linkStage.filled.isFilled(by: link) { return true }
            return try !isFilled(link, relationship, writer)
        }
        // Links that it ends stay ended, even if a later record leads the object elsewhere.
        if link.role.contains(.exclusive) { return true }
        return try !isEnded(link, relationship)
    }

    /// Returns whether an object already has links, so that a record does not fill its relationship.
    private func isFilled(
        _ link: PendingLink, _ relationship: RelationshipImport, _ writer: LinkWriter
    ) throws -> Bool {
        guard try writer.hasLinks(link.owner) else { return false }
        guard relationship.isShared else { return true }
        guard link.isToOne else {
            return try relationship.replacement?.hasLinks(link.owner, before: link.record) ?? true
        }
        guard let lists = relationship.sharedLists, let owner = try writer.destination(of: link.owner) else {
            return true
        }
        return try !lists.isEnded(owner, link.owner, before: link.record)
    }

    /// Returns whether a later record replaces a link, so that it ends or is not written. Links of `exclusive`
    /// relationships are written nevertheless, because links that they end stay ended.
    private func isEnded(_ link: PendingLink, _ relationship: RelationshipImport) throws -> Bool {
        if link.role.contains(.exclusive) { return false }
        return try isReplaced(link, relationship)
    }

    /// Returns whether a later record replaces a link.
    private func isReplaced(_ link: PendingLink, _ relationship: RelationshipImport) throws -> Bool {
        if link.isToOne { return try linkStage.pending.isReplaced(link, without: taken?.table) }
        guard let replacement = relationship.replacement, replacement.replaces else { return false }
        return try replacement.lastRecord(of: link.owner).map { link.record < $0 } ?? false
    }

    /// Writes a link between objects of one record again, because links of other records have been written since.
    @_optimize(size)
    private func writeKnown(
        _ link: PendingLink, by writer: LinkWriter, _ object: CompiledObject,
        _ refuse: (_ record: Int64, _ rejection: RejectionReason) throws -> Void
    ) throws {
        guard !link.role.contains(.ifMade) else { return }
        let relationship = relationship(of: link)
        if link.role.contains(.exclusive), link.role.contains(.filling) {
            if link.isFillingInTurn { try append(absences: linkStage.filled.begin(link)) }
            guard try isCounting(link, relationship, writer) else { return }
            if link.isFillingInTurn {
                try linkStage.absent.removeFilling(link.number, of: link.owner)
                linkStage.filled.fill(with: link)
            }
        }
        guard link.key.count == 2, let key = link.key[0].integer, let entity = link.key[1].integer else {
            return try unlink(link, writer, relationship.compiled.relationship.destination)
        }
        let found = KeyIndex.Target(primaryKey: key, entity: entity)
        try settlingConflict(of: link, writer, leadingTo: found, refuse) {
            try write(
                link, by: writer, leadingTo: found, relationship.compiled.relationship.destination, nil,
                object)
        }
    }

    @_optimize(size)
    private func write(
        _ link: PendingLink, by writer: LinkWriter, leadingTo found: KeyIndex.Target, _ slot: Int,
        _ target: CompiledKeyTarget?, _ object: CompiledObject
    ) throws {
        if link.isToOne, let lists = relationship(of: link).sharedLists {
            try lists.note(owner: found.primaryKey, record: link.record, isToOne: true)
            try lists.note(
                owner: found.primaryKey, destination: link.owner, record: link.record, place: .null,
                ordinal: LinkReplacement.toOneOrdinal)
        }
        if let replacement = relationship(of: link).replacement,
            link.isReplacing || replacement.notesNewObjects || relationship(of: link).isLimited
                || unproven != nil && replacement.place.kind == .foreignKey
        {
            // The other direction of a link belongs to another object, and links that fill a list stay next to links
            // that are added.
            if link.role.contains(.filling), replacement.notesNewObjects || relationship(of: link).isShared {
                try replacement.note(owner: link.owner, record: link.record, adds: true)
            }
            try replacement.note(
                owner: link.owner, destination: found.primaryKey, record: link.record, place: link.place,
                ordinal: link.ordinal)
        }
        let owner = KeyIndex.Target(primaryKey: link.owner, entity: link.ownerEntity)
        if link.isToOne, relationship(of: link).isUnique, let inverse = relationship(of: link).inverse,
            inverse.isOneToOne
        {
            try log.loggingInverse(
                link.record, inverse, toOne(of: link), owner: owner, destination: found.primaryKey, isBefore: true)
        }
        let before = link.isToOne ? try writer.destination(of: link.owner) ?? 0 : 0
        try noteOwned(link, leadingTo: found.primaryKey)
        let isNew =
            try link.isToOne
            ? writeToOne(link, writer) { try writer.link(owner: owner, destination: found) }
            : log.loggingLink(link.record, writer, owner, found)
        if let target { try noteNamed(link, leadingTo: found, target, isCounted: isNew) }
        try relationship(of: link).inverse?.arrivals?.note(link.owner, of: found.primaryKey, record: link.record)
        guard isNew else { return }
        if link.isToOne {
            try linkCounts.countToOne(toOne(of: link), from: before, to: found.primaryKey)
            if try linkStage.pending.takeBehind(link) {
                try count(.unchanged, -1, of: link.record, object)
                try count(.updated, 1, of: link.record, object)
            }
        } else {
            linkCounts.count(.related, 1, in: object.slot)
            log.noteCount(.related, object.slot, of: link.record)
        }
        if relationship(of: link).isRuled {
            log.noteAffected(object.slot, owner.primaryKey, entity: owner.entity, of: link.record)
            log.noteAffected(slot, found.primaryKey, entity: found.entity, of: link.record)
        }
        if link.isToOne, let inverse = relationship(of: link).inverse {
            try log.loggingInverse(link.record, inverse, toOne(of: link), owner: owner, destination: found.primaryKey)
        }
    }

    func toOne(of link: PendingLink) -> ToOneOwner {
        ToOneOwner(link: link.number, key: link.owner, slot: object(of: link).slot)
    }

    /// Writes the destination of a to-one relationship, and records it with the other values that the record gives to
    /// the object.
    @_optimize(size)
    private func writeToOne<Result>(
        _ link: PendingLink, _ writer: LinkWriter, _ body: () throws -> Result
    ) throws -> Result {
        let mapping = links[link.number]
        let isOpen = log.open.contains(link.record)
        // If several mappings set the relationship, everything is recorded, because one record may take from another
        // what a third one gave to it.
        let isKept = isOpen || relationship(of: link).isShared
        guard let unproven, try isKept || unproven.said.contains(link.owner, root: mapping.root) else {
            return try body()
        }
        let place = writer.place
        let columns = [place.destination, place.entity].compactMap { $0 }
        let before = try connection.cells(place.table, link.owner, columns)
        let result = try log.logging(link.record, place.table, link.owner, ["Z_OPT"], body)
        if isKept {
            for (column, value) in zip(columns, before) {
                try unproven.said.keep(value, in: column, of: link.owner, root: mapping.root)
            }
        }
        let after = try connection.cells(place.table, link.owner, columns)
        try unproven.said.append(
            RecordedObject(
                record: link.record, source: link.source, mapping: link.object,
                policy: link.role.contains(.filling) ? .fill : .update,
                cells: zip(columns, after).map { RecordedObject.Cell(column: $0, value: $1, isSaid: true) }),
            of: link.owner, root: mapping.root)
        return result
    }

    /// Ends the link of a to-one relationship, because the record names no object, or one that does not exist.
    private func unlink(_ link: PendingLink, _ writer: LinkWriter, _ slot: Int) throws {
        let old = try writeToOne(link, writer) { try writer.unlink(owner: link.owner) }
        guard let old else { return }
        try linkCounts.countToOne(toOne(of: link), from: old, to: 0)
        if relationship(of: link).isRuled {
            log.noteAffected(slot, old, of: link.record)
        }
        if let inverse = relationship(of: link).inverse {
            let owner = KeyIndex.Target(primaryKey: link.owner, entity: link.ownerEntity)
            try log.loggingInverse(link.record, inverse, toOne(of: link), owner: owner, destination: 0)
        }
    }
}

import ImportMappings
import ManagedObjectModels
import PersistentStores
import RecordSources
import SQLiteAccess

/// Links to objects that are removed when records are revoked: they are followed again, as if the objects had never
/// existed.
extension Settlement {
    /// Notes a link to an object that may be removed when records are revoked. Does nothing if that cannot happen.
    func noteNamed(
        _ link: PendingLink, leadingTo found: KeyIndex.Target, _ target: CompiledKeyTarget, isCounted: Bool
    ) throws {
        guard let unproven else { return }
        let root = layout.model.entities[target.slot].root
        guard let role = try unproven.records.makingRole(of: found.primaryKey, root: root) else { return }
        try unproven.named.append(link, root: root, destination: found.primaryKey, isCounted: isCounted)
        // An object that was created because records name it is removed when all of these records are revoked.
        if role == .created, target.missing == .create {
            let object = AffectedObject(
                root: root, primaryKey: found.primaryKey, entity: found.entity, role: .created)
            try unproven.records.append(object, of: link.record)
        }
    }

    /// Marks the links to an object that is about to be removed as lost, so that they are followed again.
    ///
    /// - Returns: the roots and primary keys of objects that need not be examined any more, because their records are
    ///   rejected, their links are followed again, or only a revoked record had led them there; and the numbers of the
    ///   to-one relationships that are no longer counted, with the primary keys of their objects.
    @_optimize(size)
    func loseLinks(
        to object: AffectedObject, madeBy record: Int64
    ) throws -> (handled: Set<[Int64]>, uncounted: Set<[Int64]>) {
        var (handled, uncounted): (Set<[Int64]>, Set<[Int64]>) = ([], [])
        guard let unproven else { return (handled, uncounted) }
        var last: Int64 = 0
        while true {
            let entries = try unproven.named.links(to: object.primaryKey, root: object.root, behind: last)
            guard let end = entries.last?.number else { return (handled, uncounted) }
            last = end
            for entry in entries {
                let link = entry.link
                let isLinked =
                    try relationship(of: link).writer?.isLinked(
                        owner: link.owner, destination: object.primaryKey) ?? false
                // A later record may have led the owner elsewhere, or a revoked one to where this one did.
                let lasts = try link.isToOne ? lastRecords(leading: link) : nil
                let isLast = lasts?.left.map { isOf(link, $0, leadingTo: object.primaryKey) }
                // If other records have been revoked, a link may apply that did not when its record was read.
                let hasApplied = !link.role.contains(.checked)
                let isThere = isLinked && (isLast ?? hasApplied)
                let place = [Int64(self.object(of: link).table.root), link.owner]
                // When the revoked record is undone, the owner gets back what it led to before.
                if isLinked, try lasts?.all.map({ try taken?.contains($0.record) ?? false }) ?? false {
                    handled.insert(place)
                }
                // The object's own links are counted with the object.
                let isOwn = link.owner == object.primaryKey && links[link.number].root == object.root
                if isLinked, link.isToOne, !isOwn, uncounted.insert([link.number, link.owner]).inserted {
                    try linkCounts.countToOne(toOne(of: link), from: object.primaryKey, to: 0)
                }
                guard try taken?.contains(link.record) != true else {
                    try unproven.named.forget(entry)
                    continue
                }
                guard isThere else {
                    if isLast == true, hasApplied {
                        // Only revoked records have led the owner elsewhere.
                        try unproven.named.lose(entry)
                    } else if link.role.contains(.needed) || link.createsInAnyCase {
                        // The destination only has to exist.
                        try unproven.named.lose(entry, as: link.role.union(.checked))
                    } else {
                        try unproven.named.forget(entry)
                    }
                    continue
                }
                let mapped = self.object(of: link)
                let isOpen = try unproven.records.contains(record: link.record)
                if link.isToOne {
                    let relationship = mapped.toOnes[link.relationship].relationship
                    if link.role.contains(.creating) {
                        // The object is created again, with only its key.
                        handled.insert(place)
                    } else if isOpen, !relationship.isOptional {
                        handled.insert(place)
                        try taken?.append(
                            link.record, dependence(of: mapped.table.root, relationship.name, on: object))
                    }
                } else if entry.isCounted {
                    linkCounts.count(.related, -1, in: mapped.slot)
                    let count = RecordCount(slot: mapped.slot, kind: .related, number: -1)
                    if isOpen { try unproven.records.append(count, of: link.record) }
                }
                try unproven.named.lose(entry, as: link.role.subtracting(isLast == true ? [.checked, .ifMade] : []))
            }
        }
    }

    /// Creates an object again that was removed, if the lost link of a remaining record creates it.
    ///
    /// - Returns: whether there is such a record.
    func makeAgain(removed object: Int64, root: Int) throws -> Bool {
        guard let unproven else { return false }
        var last: Int64 = 0
        while true {
            let makers = try unproven.named.makers(of: object, root: root, behind: last)
            guard let end = makers.last?.number else { return false }
            last = end
            for maker in makers {
                try makeDestinations([maker.link]) { try taken?.append($0, $1) }
                if try exists(object, root: root) { return true }
            }
        }
    }

    /// Returns whether the store has an object.
    func exists(_ object: Int64, root: Int) throws -> Bool {
        guard let table = layout.table(ofEntity: root)?.name else { return false }
        return try !connection.cells(SQLiteIdentifier.quoted(table), object, ["Z_PK"]).isEmpty
    }

    /// Returns the last record that gave the owner of a to-one link its destination: of all recorded ones, and of those
    /// that are not revoked; nil if none is recorded.
    @_optimize(size)
    private func lastRecords(leading link: PendingLink) throws -> (all: RecordedObject?, left: RecordedObject?)? {
        guard let unproven, let place = relationship(of: link).writer?.place else { return nil }
        let root = object(of: link).table.root
        let before = try unproven.said.values(before: link.owner, root: root)[place.destination] ?? .null
        var all: (value: SQLiteValue, record: RecordedObject?) = (before, nil)
        var left = all
        for recorded in try unproven.said.all(of: link.owner, root: root) {
            // The record that creates an object gives it all values.
            let isMaker = recorded.outcome == nil
            guard let cell = recorded.cells.first(where: { $0.column == place.destination && ($0.isSaid || isMaker) })
            else { continue }
            func doesFill(_ value: SQLiteValue) -> Bool {
                recorded.policy != .fill || value == .null && cell.value != .null
            }
            if doesFill(all.value) { all = (cell.value, recorded) }
            if try doesFill(left.value) && taken?.contains(recorded.record) != true { left = (cell.value, recorded) }
        }
        return (all.record, left.record)
    }

    /// Returns whether something recorded is what the record of a to-one link says.
    private func isOf(_ link: PendingLink, _ recorded: RecordedObject, leadingTo destination: Int64) -> Bool {
        let column = relationship(of: link).writer?.place.destination
        return recorded.record == link.record && recorded.source == link.source && recorded.mapping == link.object
            && recorded.cells.contains { $0.column == column && $0.value == .integer(destination) }
    }

    /// Follows some of the lost links again; returns false if there are none.
    func followLostLinks() throws -> Bool {
        guard let unproven else { return false }
        let links = try unproven.named.takeLost()
        guard !links.isEmpty else { return false }
        unproven.hasFollowedLostLinks = true
        let byRelationship = Dictionary(grouping: links) {
            [$0.role.contains(.creating) ? 0 : 1, $0.source, $0.object, $0.relationship]
        }
        for group in byRelationship.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            try follow(group.value)
        }
        return true
    }

    /// Follows links of one relationship again.
    @_optimize(size)
    private func follow(_ links: [PendingLink]) throws {
        func refuse(_ record: Int64, _ rejection: RejectionReason) throws { try taken?.append(record, rejection) }
        let (checked, others) = (
            links.filter { $0.role.contains(.checked) }, links.filter { !$0.role.contains(.checked) }
        )
        try makeDestinations(checked.filter(\.createsInAnyCase)[...], refuse: refuse)
        try check(checked[...], refuse: refuse)
        guard linkStage.areWritten else {
            try makeDestinations(others.filter { $0.role.contains(.creating) }[...], refuse: refuse)
            try check(others.filter { $0.role.contains(.needed) }[...], refuse: refuse)
            for link in others { try linkStage.pending.append(link) }
            return
        }
        try write(others[...], refuse: refuse)
        try append(absences: linkStage.filled.end())
    }

    /// Reports the links whose destinations do not exist, and writes the records that name them to the files of
    /// unlinked records.
    @_optimize(size)
    func writeAbsentLinks() throws {
        var last: Int64?
        try linkStage.absent.forEach { link in
            guard try !(taken?.contains(link.record) ?? false) else { return }
            let canRepeat = sources[link.source].compiled.isRepeatable(layout)
            func entry() throws -> PendingRecords.Entry? {
                try unproven?.records.entry(link.record) ?? linkStage.absent.entry(link.record)
            }
            if link.role.contains(.skipped) {
                if let entry = try entry() { try session.reportSkipped(link, entry, canRepeat: canRepeat) }
            } else if !link.role.contains(.kept) {
                try reportAbsent(link, canRepeat: canRepeat)
            }
            guard let rejects, canRepeat, link.record != last,
                let source = rejects.source(ofFile: RecordNumber.file(of: link.record)),
                let entry = try entry()
            else { return }
            last = link.record
            try rejects.appendUnlinked(entry.captured, from: source)
        }
    }

    @_optimize(size)
    private func reportAbsent(_ link: PendingLink, canRepeat: Bool) throws {
        let object = object(of: link)
        let relationship = relationship(of: link).compiled
        guard case .key(let target) = relationship.target, let key = ReferenceKey(link.key) else { return }
        tally.report.unresolvedLinks += 1
        let entity = layout.model.entities[target.slot].name
        let keyText = "\(resolvers[target.resolver].keyName) \(key.shown)"
        let file = session.name(ofFile: RecordNumber.file(of: link.record))
        if tally.report.unresolvedLinks <= ImportReport.shownLinks {
            tally.report.findings.append(
                "\(StreamInput.title(of: file)):\(link.line): \(object.entityName).\(relationship.name): "
                    + RejectionReason.absence(of: keyText, entity))
        }
        try rejects?.note(
            object.reason(
                .unresolved(entity: entity, key: keyText, isRepeatable: canRepeat), relationship.name,
                column: target.sourceName, value: key.values.first?.blobOrText ?? []),
            record: RecordNumber.ordinal(of: link.record), line: link.line, file: file)
    }
}

extension CompiledSource {
    /// Returns whether importing a record again changes its objects instead of creating others. Objects without a key
    /// must be found through their owners.
    fileprivate func isRepeatable(_ layout: StoreLayout) -> Bool {
        objects.indices.allSatisfy { index in
            PartOwner.finds(index, of: self, layout)
                && (objects[index].onMatch == .update || objects[index].onMatch == .fill)
        }
    }
}

/// The state of a relationship that is being filled (`onMatch: fill`), while its pending links are written in the order
/// of their records.
struct FillState {
    private var number: Int64 = -1
    private var owner: Int64 = 0
    /// The record that has filled the relationship; nil if no record has yet.
    private var record: Int64?
    /// The links of the last record so far whose destinations do not exist.
    private var absences: [PendingLink] = []

    /// Begins the relationship of a link, unless the relationship has already begun. It begins again after the record that
    /// has filled it, because others may have taken all its objects since.
    ///
    /// - Returns: the links of the relationship before it whose destinations do not exist; empty if the relationship
    ///   has already begun.
    mutating func begin(_ link: PendingLink) -> [PendingLink] {
        guard number != link.number || owner != link.owner || !(record.map { $0 == link.record } ?? true) else {
            return []
        }
        let found = end()
        (number, owner, record) = (link.number, link.owner, nil)
        return found
    }

    /// Ends the relationship and returns the links whose destinations do not exist: those of the record that filled it,
    /// or of the last record if no record filled it.
    ///
    /// Those of the record that filled it are no longer `filling`: they are reported even if a later record fills nothing.
    mutating func end() -> [PendingLink] {
        defer { self = FillState() }
        guard record != nil else { return absences }
        return absences.map { link in
            var link = link
            link.role.remove(.filling)
            return link
        }
    }

    /// Returns whether a link belongs to the record that has filled the relationship.
    func isFilled(by link: PendingLink) -> Bool { record == link.record }

    /// Notes that a link has been written.
    mutating func fill(with link: PendingLink) {
        record = link.record
        if absences.last?.record != link.record { absences.removeAll() }
    }

    /// Notes that the destination of a link does not exist.
    mutating func leave(_ link: PendingLink) {
        if absences.last?.record != link.record { absences.removeAll() }
        absences.append(link)
    }
}

/// What has become of the relationship that is being filled, while its links are written in the order of the records.
struct FillState {
    private var number: Int64 = -1
    private var owner: Int64 = 0
    /// The record that has filled it.
    private var record: Int64?
    /// The links of the last record so far that led nowhere.
    private var absences: [PendingLink] = []

    /// Begins with the next link.
    ///
    /// - Returns: links of the relationship before that lead nowhere.
    mutating func begin(_ link: PendingLink) -> [PendingLink] {
        guard number != link.number || owner != link.owner else { return [] }
        let found = end()
        (number, owner, record) = (link.number, link.owner, nil)
        return found
    }

    /// Ends the relationship: its links that lead nowhere are those of the record that filled it, else of the last one.
    mutating func end() -> [PendingLink] {
        defer { self = FillState() }
        return absences
    }

    /// Whether a link is another one of the record that has filled the relationship.
    func isFilled(by link: PendingLink) -> Bool { record == link.record }

    /// A link is there now.
    mutating func fill(with link: PendingLink) {
        record = link.record
        if absences.last?.record != link.record { absences.removeAll() }
    }

    /// A link leads nowhere.
    mutating func leave(_ link: PendingLink) {
        if absences.last?.record != link.record { absences.removeAll() }
        absences.append(link)
    }
}

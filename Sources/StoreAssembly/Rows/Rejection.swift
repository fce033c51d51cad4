/// A row that is rejected, and why: one number, by which rows are in order, and reasons of a row.
struct Rejection {
    let bits: Int64

    init(bits: Int64) {
        self.bits = bits
    }

    /// - Parameter link: the link that leads nowhere, or the highest number for what a new object needs otherwise.
    init(_ arrival: Int64, link: Int) {
        bits = arrival << Self.reasonBits | Int64(link)
    }

    /// - Parameter constraint: the number of the values of which another object has one.
    init(_ arrival: Int64, constraint: Int) {
        bits = arrival << Self.reasonBits | Int64(LinkPatch.mostLinks + constraint)
    }

    /// - Parameter arrival: a row that is rejected because of what objects lead to.
    init(miscounted arrival: Int64) {
        bits = arrival << Self.reasonBits | Self.miscount
    }

    var arrival: Int64 { bits >> Self.reasonBits }

    /// The number of the values of which another object has one; nil for other reasons.
    var constraint: Int? {
        let reason = Int(bits & (1 << Self.reasonBits - 1))
        return isMiscount || reason < LinkPatch.mostLinks ? nil : reason - LinkPatch.mostLinks
    }

    /// Whether it is because of what objects lead to.
    var isMiscount: Bool { bits & Self.miscount == Self.miscount }

    private static let reasonBits: Int64 = 13
    private static let miscount: Int64 = 1 << reasonBits - 1
    /// The most constraints of a table: each has files that are open, and pages of them.
    static let mostConstraints = 64
}

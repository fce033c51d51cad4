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

    /// - Parameter arrival: a row that is not the first with its key, and must be.
    init(matching arrival: Int64) {
        bits = arrival << Self.reasonBits | Self.match
    }

    var arrival: Int64 { bits >> Self.reasonBits }

    /// The number of the values of which another object has one; nil for other reasons.
    var constraint: Int? {
        let reason = Int(bits & (1 << Self.reasonBits - 1))
        return isMiscount || isMatch || reason < LinkPatch.mostLinks ? nil : reason - LinkPatch.mostLinks
    }

    /// Whether it is because of what objects lead to.
    var isMiscount: Bool { bits & Self.miscount == Self.miscount }

    /// Whether it is because another row has made its object.
    var isMatch: Bool { bits & Self.miscount == Self.match }

    private static let reasonBits: Int64 = 18
    // No number of a link or of values is as high.
    private static let miscount: Int64 = 1 << reasonBits - 1
    private static let match: Int64 = miscount - 1
}

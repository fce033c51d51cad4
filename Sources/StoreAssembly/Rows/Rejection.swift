/// A rejected row and the reason for its rejection, as one number that sorts by row and then by reason.
struct Rejection {
    let bits: Int64

    init(bits: Int64) {
        self.bits = bits
    }

    /// Creates the rejection of a row that lacks something.
    ///
    /// - Parameters:
    ///   - arrival: the row.
    ///   - link: the link without a destination, or the highest number if the row lacks something else that it needs.
    init(_ arrival: Int64, link: Int) {
        bits = arrival << Self.reasonBits | Int64(link)
    }

    /// Creates the rejection of a row because another object has one of its values.
    ///
    /// - Parameters:
    ///   - arrival: the row.
    ///   - constraint: the number of the constraint.
    init(_ arrival: Int64, constraint: Int) {
        bits = arrival << Self.reasonBits | Int64(LinkPatch.mostLinks + constraint)
    }

    /// Creates the rejection of a row because an object has too many links or too few.
    init(miscounted arrival: Int64) {
        bits = arrival << Self.reasonBits | Self.miscount
    }

    /// Creates the rejection of a row that must be the first with its key and is not.
    init(matching arrival: Int64) {
        bits = arrival << Self.reasonBits | Self.match
    }

    var arrival: Int64 { bits >> Self.reasonBits }

    /// The number of the constraint whose values another object has; nil for other reasons.
    var constraint: Int? {
        let reason = Int(bits & (1 << Self.reasonBits - 1))
        return isMiscount || isMatch || reason < LinkPatch.mostLinks ? nil : reason - LinkPatch.mostLinks
    }

    /// Whether the reason is that an object has too many links or too few.
    var isMiscount: Bool { bits & Self.miscount == Self.miscount }

    /// Whether the reason is that another row has created the object.
    var isMatch: Bool { bits & Self.miscount == Self.match }

    private static let reasonBits: Int64 = 18
    // These numbers are higher than those of links and constraints.
    private static let miscount: Int64 = 1 << reasonBits - 1
    private static let match: Int64 = miscount - 1
}

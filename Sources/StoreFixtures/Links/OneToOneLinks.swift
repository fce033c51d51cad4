/// The links of two to-one relationships that are inverse to each other, computed from either side.
struct OneToOneLinks: Sendable {
    private let shape: Shape

    private enum Shape {
        /// Objects with the same number are linked, as far as they exist.
        case side(count: Int)
        /// Each object is linked with the next one; the last one with the first, or with none.
        case chain(count: Int, isClosed: Bool)
        /// Objects are linked in pairs; the last one of an odd number with itself, or with none.
        case pairs(count: Int, isClosed: Bool)
    }

    init(_ rule: LinkRule, first: Int, second: Int) {
        if rule.isWithinOneEntity {
            let isClosed = rule.first.isRequired || rule.second.isRequired
            shape =
                rule.key == rule.inverseKey
                ? .pairs(count: first, isClosed: isClosed) : .chain(count: first, isClosed: isClosed)
        } else {
            let most = min(first, second)
            shape = .side(count: rule.first.isRequired || rule.second.isRequired ? most : most - most / 8)
        }
    }

    /// Returns the partner of an object of the first side, or of the second; nil for none.
    func partner(of number: Int, isSecond: Bool) -> Int? {
        switch shape {
        case .side(let count): return number < count ? number : nil
        case .chain(let count, let isClosed):
            let next = isSecond ? number - 1 : number + 1
            if next >= 0, next < count { return next }
            return isClosed ? (isSecond ? count - 1 : 0) : nil
        case .pairs(let count, let isClosed):
            let other = number ^ 1
            return other < count ? other : isClosed ? number : nil
        }
    }
}

/// Links of two to-one relationships that are inverse to each other, computed from either side.
struct OneToOneLinks: Sendable {
    private let shape: Shape

    private enum Shape {
        /// Objects of the same number belong together, as far as there are any.
        case side(count: Int)
        /// Each with the next one; the last one with the first, or with none.
        case chain(count: Int, isClosed: Bool)
        /// Two and two; the last of an odd number with itself, or with none.
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

    /// The partner of an object of the first side, or of the second; nil for none.
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

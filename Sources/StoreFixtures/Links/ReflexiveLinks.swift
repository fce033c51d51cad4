/// The links of a many-to-many relationship that is its own inverse: each object is linked with its neighbors in a
/// ring.
struct ReflexiveLinks: Sendable {
    let objects: Int
    /// The number of links of each object.
    let degree: Int

    /// The number of rows; every link is stored in both directions.
    var count: Int { objects * degree }

    /// Returns a row by its number.
    func link(_ number: Int) -> (first: LinkTarget, second: LinkTarget) {
        let (object, place) = (number / degree, number % degree)
        // One to the right, one to the left, two to the right...; the last link of an odd number leads to the opposite
        // object.
        let step = place == degree - 1 && degree % 2 == 1 ? objects / 2 : place / 2 + 1
        let other = place % 2 == 0 ? object + step : object - step
        return (
            LinkTarget(number: object, place: 0), LinkTarget(number: (other + objects) % objects, place: place)
        )
    }

    init?(_ rule: LinkRule, _ objects: Int) {
        guard let degree = Self.degree(rule, objects) else { return nil }
        self.objects = objects
        self.degree = degree
    }

    /// Returns the number of links for each of a number of objects; nil if no number satisfies the rule.
    static func degree(_ rule: LinkRule, _ objects: Int) -> Int? {
        let most = min(rule.first.maximum ?? .max, objects - 1)
        guard rule.first.minimum <= most else { return nil }
        let candidates = [2] + Array(rule.first.minimum...min(most, rule.first.minimum + 1))
        return candidates.first { $0 >= rule.first.minimum && $0 <= most && ($0 % 2 == 0 || objects % 2 == 0) }
    }
}

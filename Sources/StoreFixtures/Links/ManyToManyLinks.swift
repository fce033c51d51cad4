/// The links of a join table, which are enumerated without duplicate pairs.
struct ManyToManyLinks: Sendable {
    /// The number of objects of the first side with links, and the number of links of each.
    let first: Int
    let perFirst: Int
    /// The number of objects of the second side with links.
    let second: Int

    var count: Int { first * perFirst }

    /// Returns a link by its number: both objects, and the position of each among the other's.
    func link(_ number: Int) -> (first: LinkTarget, second: LinkTarget) {
        (
            LinkTarget(number: number / perFirst, place: number / second),
            LinkTarget(number: number % second, place: number % perFirst)
        )
    }

    /// Returns numbers of links within the limits of both sides; nil if there are none.
    static func plan(_ rule: LinkRule, _ first: Int, _ second: Int) -> ManyToManyLinks? {
        guard first > 0, second > 0 else { return nil }
        // Some objects without links, if that is allowed; otherwise links for as many as possible.
        let firsts = rule.first.isRequired ? [first] : [first - first / 5, first, first / 2, first / 4, 1]
        for used in firsts where used > 0 {
            if let plan = plan(rule, used: used, second) { return plan }
        }
        return nil
    }

    private static func plan(_ rule: LinkRule, used: Int, _ second: Int) -> ManyToManyLinks? {
        let (least, most) = (rule.first.minimum, min(rule.first.maximum ?? .max, second))
        guard least <= most else { return nil }
        let usual = max(least, min(most, 3))
        for perFirst in [usual] + Array(least...min(most, least + 64)) + [most] {
            let (links, overflow) = used.multipliedReportingOverflow(by: perFirst)
            guard !overflow else { continue }
            let partners = min(second, links / rule.second.minimum)
            guard partners >= perFirst, !rule.second.isRequired || partners == second,
                (links + partners - 1) / partners <= rule.second.maximum ?? .max
            else { continue }
            return ManyToManyLinks(first: used, perFirst: perFirst, second: partners)
        }
        return nil
    }
}

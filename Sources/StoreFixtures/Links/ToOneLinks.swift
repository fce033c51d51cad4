/// To-one links, each computed from the number of its object.
struct ToOneLinks: Sendable {
    private let children: Int
    private let parents: Int
    private let shape: Shape
    private let childOrder: Permutation
    private let parentOrder: Permutation

    private enum Shape {
        case none
        /// A tree: every object except the first is below another one, and no object is above itself.
        case tree(width: Int, minimum: Int)
        /// The first links cycle through all parents, the others through the first parents, which thus have more.
        case rounds(linked: Int, parents: Int, even: Int, popular: Int)
    }

    init(_ rule: LinkRule, children: Int, parents: Int, _ random: inout SeededNumbers) {
        self.children = children
        self.parents = parents
        childOrder = Permutation(count: children, &random)
        parentOrder = Permutation(count: parents, &random)
        shape = Self.shape(rule, children, parents)
    }

    private static func shape(_ rule: LinkRule, _ children: Int, _ parents: Int) -> Shape {
        let (least, most) = (rule.second.minimum, rule.second.maximum ?? .max)
        guard children > 0, parents > 0 else { return .none }
        if rule.isWithinOneEntity, !rule.first.isRequired, !rule.second.isRequired {
            return .tree(width: max(least, min(most, 3)), minimum: least)
        }
        var linked = rule.first.isRequired ? children : children - children / 8
        var used = rule.second.isRequired ? parents : max(1, parents - parents / 5)
        if rule.first.isRequired {
            // Enough parents for all, and no more than have enough each.
            used = max(used, children / most + (children % most == 0 ? 0 : 1))
            used = min(used, parents, max(1, children / least))
        } else {
            if rule.second.isRequired { linked = min(children, max(linked, used.saturatingProduct(least))) }
            used = min(used, linked / least)
        }
        guard used > 0 else { return .none }
        linked = min(linked, used.saturatingProduct(most))
        guard linked >= used.saturatingProduct(least) else { return .none }
        let even = most == .max ? max(used.saturatingProduct(least), linked / 2) : linked
        return .rounds(linked: linked, parents: used, even: min(even, linked), popular: max(1, used / 4))
    }

    /// Returns the target of an object's link; nil for none.
    func target(of child: Int) -> LinkTarget? {
        switch shape {
        case .none: return nil
        case .tree(let width, let minimum):
            guard child > 0 else { return nil }
            let parent = (child - 1) / width
            let siblings = min(width, children - 1 - parent * width)
            return siblings < minimum ? nil : LinkTarget(number: parent, place: (child - 1) % width)
        case .rounds(let linked, let used, let even, let popular):
            let place = childOrder[child]
            guard place < linked else { return nil }
            if place < even { return LinkTarget(number: parentOrder[place % used], place: place / used) }
            let rest = place - even
            let parent = rest % popular
            let before = even / used + (parent < even % used ? 1 : 0)
            return LinkTarget(number: parentOrder[parent], place: before + rest / popular)
        }
    }
}

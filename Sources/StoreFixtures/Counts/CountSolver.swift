import ManagedObjectModels

/// Determines the number of objects for each entity: as requested, more if relationships require it, or fewer if rules
/// do not allow that many.
struct CountSolver {
    private let model: ResolvedModel
    private let rows: Int
    private let rules: [LinkRule]
    /// The maximum numbers, by slot.
    private var limits: [Int]
    private(set) var counts: [Int]
    /// The reason why the number differs from the requested one, by slot; the first reason is kept.
    private(set) var reasons: [Int: String] = [:]
    /// The entities that a rule has left without objects; searching all entities for them would take time in proportion
    /// to the model for each rule.
    private var emptied: [Int] = []

    /// The maximum factor by which the requested number of an entity's objects may grow.
    private static let largestGrowth = 1000
    private static let mostObjects = 1_000_000_000

    /// - Parameter refused: the reasons why entities get no objects, by slot.
    init(
        model: ResolvedModel, rows: Int, rules: [LinkRule], refused: [Int: String],
        caps: [(slots: Range<Int>, count: Int, reason: String)]
    ) {
        self.model = model
        self.rows = rows
        self.rules = rules
        limits = model.entities.map { entity in
            entity.isAbstract || refused[entity.slot] != nil
                ? 0 : min(Self.mostObjects, rows.saturatingProduct(Self.largestGrowth))
        }
        counts = []
        reasons = refused
        for cap in caps { limit(cap) }
    }

    /// Limits the objects of entities that share a limit to about equal numbers.
    private mutating func limit(_ cap: (slots: Range<Int>, count: Int, reason: String)) {
        let slots = cap.slots.filter { limits[$0] > 0 }
        for (place, slot) in slots.enumerated() {
            let share = cap.count / slots.count + (place < cap.count % slots.count ? 1 : 0)
            guard share < limits[slot] else { continue }
            limits[slot] = share
            if share < rows { reasons[slot] = reasons[slot] ?? cap.reason }
        }
    }

    mutating func solve() {
        // Each round except the last one finds an entity that cannot have objects.
        for _ in 0...model.entities.count {
            let emptied = settle()
            if emptied.isEmpty { return }
            for slot in emptied { limits[slot] = 0 }
        }
    }

    /// Makes one attempt; returns the entities that cannot have the objects that they should have.
    private mutating func settle() -> [Int] {
        counts = limits.map { min($0, rows) }
        let refusals = reasons.filter { limits[$0.key] < rows }
        reasons = refusals
        for _ in 0..<200 {
            let before = counts
            for rule in rules {
                emptied.removeAll(keepingCapacity: true)
                rule.adjust(&self)
                emptied.removeAll { counts[$0] > 0 }
                if !emptied.isEmpty { return emptied }
            }
            if counts == before { return [] }
        }
        // Numbers that never settle belong to contradictory rules.
        let unsettled = rules.first { rule in
            var copy = self
            rule.adjust(&copy)
            return copy.counts != counts
        }
        guard let unsettled else { return [] }
        let slots = unsettled.first.slots.filter { counts[$0] > 0 }
        for slot in slots { reasons[slot] = "\(unsettled.name) asks for more objects than there can be" }
        return Array(slots)
    }

    // MARK: What rules ask for

    func count(_ slots: Range<Int>) -> Int { slots.reduce(0) { $0.addingSaturated(counts[$1]) } }

    /// Raises the number of objects of some entities to a total; returns false if that is not possible.
    mutating func raise(_ slots: Range<Int>, to total: Int, _ reason: String) -> Bool {
        guard count(slots) < total else { return true }
        let before = Array(counts[slots])
        let possible = slots.filter { limits[$0] > 0 }
        guard !possible.isEmpty else { return false }
        let share = total / possible.count + (total % possible.count == 0 ? 0 : 1)
        for slot in possible { counts[slot] = max(counts[slot], min(limits[slot], share)) }
        guard count(slots) >= total else {
            counts.replaceSubrange(slots, with: before)
            return false
        }
        note(slots, before, reason)
        return true
    }

    /// Lowers the number of objects of some entities to a total.
    mutating func lower(_ slots: Range<Int>, to total: Int, _ reason: String) {
        guard count(slots) > total else { return }
        let before = Array(counts[slots])
        let present = count(slots)
        // In proportion, with at least one for each as far as possible.
        for slot in slots { counts[slot] = Self.share(of: counts[slot], total, present) }
        var left = total - count(slots)
        for (slot, count) in zip(slots, before) where counts[slot] == 0 && count > 0 {
            if left > 0 {
                counts[slot] = 1
                left -= 1
            } else if min(limits[slot], rows) > 0 {
                emptied.append(slot)
            }
        }
        note(slots, before, reason)
    }

    private static func share(of count: Int, _ total: Int, _ present: Int) -> Int {
        present.dividingFullWidth(count.multipliedFullWidth(by: max(0, total))).quotient
    }

    private mutating func note(_ slots: Range<Int>, _ before: [Int], _ reason: String) {
        for (slot, count) in zip(slots, before) where counts[slot] != count && reasons[slot] == nil {
            reasons[slot] = reason
        }
    }
}

/// What a conversion has to tell about the data, counted by kind and place.
public final class ConversionFindings {
    private struct Place: Hashable {
        let code: ConversionFinding.Code
        let subject: String
    }

    private var findings: [Place: ConversionFinding] = [:]
    private var order: [Place] = []

    /// Makes an empty list.
    public init() {}

    /// Notes something; a key is that of an object that shows it.
    public func add(_ code: ConversionFinding.Code, _ subject: String, key: Int64? = nil, count: Int64 = 1) {
        guard count > 0 else { return }
        let place = Place(code: code, subject: subject)
        if findings[place] == nil {
            order.append(place)
            findings[place] = ConversionFinding(code: code, subject: subject)
        }
        findings[place]?.count += count
        if let key, let found = findings[place], found.keys.count < 3 { findings[place]?.keys.append(key) }
    }

    /// Names one more object that shows what was noted.
    func add(key: Int64, to code: ConversionFinding.Code, _ subject: String) {
        let place = Place(code: code, subject: subject)
        if let found = findings[place], found.keys.count < 3 { findings[place]?.keys.append(key) }
    }

    /// Counts what was found elsewhere.
    func add(_ finding: ConversionFinding) {
        add(finding.code, finding.subject, count: finding.count)
        for key in finding.keys { add(key: key, to: finding.code, finding.subject) }
    }

    /// Whether nothing was found.
    var isEmpty: Bool { order.isEmpty }

    /// Gives all of them away: the list is empty then.
    func takeAll() -> [ConversionFinding] {
        let all = all
        findings.removeAll()
        order.removeAll()
        return all
    }

    /// All of them, in the order in which they came up.
    public var all: [ConversionFinding] { order.compactMap { findings[$0] } }
}

/// The findings of a conversion, counted by kind and place.
public final class ConversionFindings {
    private struct Place: Hashable {
        let code: ConversionFinding.Code
        let subject: String
    }

    private var findings: [Place: ConversionFinding] = [:]
    private var order: [Place] = []

    /// Creates an empty list.
    public init() {}

    /// Adds a finding, with the key of an affected object.
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

    /// Adds the key of another affected object to a finding.
    func add(key: Int64, to code: ConversionFinding.Code, _ subject: String) {
        let place = Place(code: code, subject: subject)
        if let found = findings[place], found.keys.count < 3 { findings[place]?.keys.append(key) }
    }

    /// Adds a finding with its own count.
    func add(_ finding: ConversionFinding) {
        add(finding.code, finding.subject, count: finding.count)
        for key in finding.keys { add(key: key, to: finding.code, finding.subject) }
    }

    /// Whether there are no findings.
    var isEmpty: Bool { order.isEmpty }

    /// Returns all findings, and empties the list.
    func takeAll() -> [ConversionFinding] {
        let all = all
        findings.removeAll()
        order.removeAll()
        return all
    }

    /// All findings, in the order in which they first occurred.
    public var all: [ConversionFinding] { order.compactMap { findings[$0] } }
}

/// What an object of the entity Project has.
public struct ItemValues: Equatable, Sendable {
    public var number: Int?
    public var title: String?

    public init(number: Int? = nil, title: String? = nil) {
        self.number = number
        self.title = title
    }

    /// As one word: the number, a stroke, the title.
    public var text: String { "\(number.map { "\($0)" } ?? "-")|\(title ?? "-")" }

    public init?(text: some StringProtocol) {
        let parts = text.split(separator: "|", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        self.init(number: Int(parts[0]), title: parts[1] == "-" ? nil : String(parts[1]))
    }
}

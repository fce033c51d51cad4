/// What a program is told to do, a line each.
public enum SideCommand: Equatable, Sendable {
    case insert
    case read(Int64)
    case setNumber(Int64, Int)
    case setTitle(Int64, String)
    case delete(Int64)
    case save
    case startOver
    case forget(Int64)
    case values(Int64)
    case increment(Int64, count: Int)

    public var line: String {
        switch self {
        case .insert: "insert"
        case .read(let key): "read \(key)"
        case .setNumber(let key, let number): "number \(key) \(number)"
        case .setTitle(let key, let title): "title \(key) \(title)"
        case .delete(let key): "delete \(key)"
        case .save: "save"
        case .startOver: "over"
        case .forget(let key): "forget \(key)"
        case .values(let key): "values \(key)"
        case .increment(let key, let count): "increment \(key) \(count)"
        }
    }

    public init?(line: String) {
        let words = line.split(separator: " ").map(String.init)
        switch (words.first, words.count) {
        case ("insert", 1): self = .insert
        case ("save", 1): self = .save
        case ("over", 1): self = .startOver
        default:
            guard words.count > 1, let key = Int64(words[1]) else { return nil }
            switch (words[0], words.count) {
            case ("read", 2): self = .read(key)
            case ("delete", 2): self = .delete(key)
            case ("forget", 2): self = .forget(key)
            case ("values", 2): self = .values(key)
            case ("title", 3): self = .setTitle(key, words[2])
            case ("number", 3):
                guard let number = Int(words[2]) else { return nil }
                self = .setNumber(key, number)
            case ("increment", 3):
                guard let count = Int(words[2]) else { return nil }
                self = .increment(key, count: count)
            default: return nil
            }
        }
    }

    /// Does it, and says what came of it in one line.
    public func run(on side: ContextSide) throws -> String {
        switch self {
        case .insert: return "\(try side.insert())"
        case .read(let key): try side.read(key)
        case .setNumber(let key, let number): try side.set(key, number: number)
        case .setTitle(let key, let title): try side.set(key, title: title)
        case .delete(let key): try side.delete(key)
        case .save: return try side.save().sorted().map { "\($0)" }.joined(separator: " ")
        case .startOver: try side.startOver()
        case .forget(let key): side.forget(key)
        case .values(let key): return try side.values(of: key).text
        case .increment(let key, let count): return "\(try side.increment(key, count: count))"
        }
        return ""
    }
}

import CommandLineParsing
import StoreVerification

/// The object that is kept, as an argument: `first`, `last`, `newest:ATTRIBUTE`.
struct SurvivorArgument: ArgumentValue {
    let survivor: Survivor

    init(_ survivor: Survivor) {
        self.survivor = survivor
    }

    init?(argument: String) {
        switch argument {
        case "first": survivor = .first
        case "last": survivor = .last
        default:
            guard argument.hasPrefix("newest:"), argument.count > 7 else { return nil }
            survivor = .newest(by: String(argument.dropFirst(7)))
        }
    }

    var argument: String {
        switch survivor {
        case .first: "first"
        case .last: "last"
        case .newest(let attribute): "newest:\(attribute)"
        }
    }

    static var expectation: String { "first, last or newest:ATTRIBUTE" }
}

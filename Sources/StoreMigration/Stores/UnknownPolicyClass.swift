/// No mapping model names a policy class for which there is a program.
public struct UnknownPolicyClass: Error, Sendable, Hashable {
    /// The name of the class.
    public let name: String

    /// The classes that mapping models name.
    public let known: [String]
}

extension UnknownPolicyClass: CustomStringConvertible {
    public var description: String {
        "no mapping model names the policy class \(name); "
            + (known.isEmpty ? "the given ones name none" : "they name \(known.joined(separator: ", "))")
    }
}

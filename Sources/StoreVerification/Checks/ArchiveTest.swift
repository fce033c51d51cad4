import KeyedArchives
import ManagedObjectModels
import PersistentStores

/// Checks the keyed archives of one transformable attribute.
final class ArchiveTest {
    /// The classes in `NSSecureUnarchiveFromDataTransformer.allowedTopLevelClasses`.
    private static let secureClasses = [
        "NSArray", "NSDictionary", "NSSet", "NSString", "NSNumber", "NSDate", "NSData", "NSURL", "NSUUID", "NSNull",
    ]
    /// The classes and protocols of all objects.
    private static let anyClass: Set<String> = ["NSObject", "NSCoding", "NSSecureCoding"]

    private let isSecure: Bool
    /// The class of the values, without its module; nil if any class is allowed.
    private let className: String?
    /// The folder for values in files; nil if they are not allowed.
    private let folder: String?
    /// The last value that was checked, since several rules use it.
    private var last: (stored: [UInt8], rule: VerificationRule?) = ([], nil)
    private(set) var foundClasses: [String] = []

    init(_ attribute: AttributeDescription, _ files: StoreFiles) {
        isSecure = attribute.valueTransformerName?.hasPrefix("NSSecure") ?? false
        let name = attribute.attributeValueClassName.map(Self.plain)
        // A name that is not valid in Objective-C is that of a Swift class, which the compiler checks.
        className = name.flatMap { name in
            let isName = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
            return isName && !Self.anyClass.contains(name) ? name : nil
        }
        folder = attribute.hasExternalData ? files.externalDataDirectory : nil
    }

    /// The allowed classes, for messages; nil if all are allowed.
    var allowed: String? {
        className.map { "the model says \($0)" }
            ?? (isSecure ? "the value transformer allows \(Self.secureClasses.joined(separator: ", "))" : nil)
    }

    /// Returns the rule that a stored value violates; nil if there is none, or its file is missing.
    func rule(for stored: [UInt8]) -> VerificationRule? {
        if stored == last.stored { return last.rule }
        last = (stored, brokenRule(stored))
        return last.rule
    }

    private func brokenRule(_ stored: [UInt8]) -> VerificationRule? {
        guard let bytes = content(stored) else { return nil }
        guard let archive = try? KeyedArchive(bytes), let name = archive.rootNames.first,
            let root = try? archive.rootValue(name)
        else { return .undecodableValue }
        guard isAllowed(root), !isSecure || (try? archive.archivedClasses())?.allSatisfy(isSecureClass) ?? true else {
            return .archivedClassWrong
        }
        return nil
    }

    /// Returns the bytes of a value; nil for faults of other rules.
    private func content(_ stored: [UInt8]) -> [UInt8]? {
        guard let folder else { return stored }
        switch stored.first {
        case 1: return Array(stored.dropFirst())
        case 2 where stored.count == 38:
            let name = String(decoding: stored[1..<37], as: UTF8.self)
            return ExternalRecord.isName(name) ? (try? ExternalRecord.content(named: name, in: folder)) ?? nil : nil
        default: return nil
        }
    }

    private func isSecureClass(_ type: ArchivedClass) -> Bool {
        if Self.secureClasses.contains(where: type.isKind) { return true }
        note(type.name)
        return false
    }

    private func isAllowed(_ root: ArchivedValue) -> Bool {
        guard let className else { return true }
        let names: [String]
        switch root {
        case .null: return true
        case .object(let object): names = object.type.names
        case .scalar(.string): names = ["NSString"]
        case .scalar(.data): names = ["NSData"]
        case .scalar(.date): names = ["NSDate"]
        case .scalar: names = ["NSNumber", "NSValue"]
        }
        if names.contains(where: { Self.plain($0) == className || $0 == "NS" + className }) { return true }
        note(names[0])
        return false
    }

    private func note(_ name: String) {
        if foundClasses.count < 5, !foundClasses.contains(name) { foundClasses.append(name) }
    }

    /// Returns a class name without its module; a mutable class is treated as its superclass.
    private static func plain(_ name: String) -> String {
        let last = name.split(separator: ".").last.map(String.init) ?? name
        return last.hasPrefix("NSMutable") ? "NS" + last.dropFirst(9) : last
    }
}

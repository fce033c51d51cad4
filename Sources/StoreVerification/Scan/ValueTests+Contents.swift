import KeyedArchives
import ObjectValidation
import SQLiteAccess

/// Tests of what values hold.
extension ValueTests {
    /// SQL that is true for bytes that are not a keyed archive with a root.
    func condition(noArchive value: String) -> String {
        condition(value) { arguments in
            let bytes = arguments.withBytes(1) { Array($0) }
            guard let archive = try? KeyedArchive(bytes), let name = archive.rootNames.first else { return true }
            if (try? archive.root(name)) != nil { return false }
            // A text or a number has no class: then it is not an object, and all the same a value.
            return !bytes.starts(with: "bplist".utf8)
        }
    }

    /// SQL that is true for names of files with which something is wrong in one way.
    func condition(_ rule: VerificationRule, ofFileNamed value: String, in files: ExternalFileInventory) -> String {
        condition(value) { arguments in
            files.rule(forFileNamed: arguments.withBytes(1) { Array($0) }) == rule
        }
    }
}

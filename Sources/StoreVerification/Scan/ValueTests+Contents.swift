import ObjectValidation
import SQLiteAccess

/// Tests of what values hold.
extension ValueTests {
    /// SQL that is true for bytes that are an archive with which something is wrong in one way.
    func condition(_ rule: VerificationRule, ofArchive value: String, _ test: ArchiveTest) -> String {
        condition(value) { arguments in test.rule(for: arguments.withBytes(1) { Array($0) }) == rule }
    }

    /// SQL that is true for names of files with which something is wrong in one way.
    func condition(_ rule: VerificationRule, ofFileNamed value: String, in files: ExternalFileInventory) -> String {
        condition(value) { arguments in
            files.rule(forFileNamed: arguments.withBytes(1) { Array($0) }) == rule
        }
    }
}

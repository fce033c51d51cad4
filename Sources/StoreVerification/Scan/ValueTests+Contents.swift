import ObjectValidation
import SQLiteAccess

/// Tests of the contents of values.
extension ValueTests {
    /// Returns an SQL condition for bytes that are an archive with one kind of fault.
    func condition(_ rule: VerificationRule, ofArchive value: String, _ test: ArchiveTest) -> String {
        condition(value) { arguments in test.rule(for: arguments.withBytes(1) { Array($0) }) == rule }
    }

    /// Returns an SQL condition for names of files with one kind of fault.
    func condition(_ rule: VerificationRule, ofFileNamed value: String, in files: ExternalFileInventory) -> String {
        condition(value) { arguments in
            files.rule(forFileNamed: arguments.withBytes(1) { Array($0) }) == rule
        }
    }
}

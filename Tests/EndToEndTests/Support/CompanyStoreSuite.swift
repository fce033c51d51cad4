import TestSupport

/// Tests of the store of the sample Company, each with one in a folder of its own.
class CompanyStoreSuite {
    let directory: TemporaryDirectory
    let store: String
    let models = ["--models", Samples.models("Company")]

    init() throws {
        directory = try TemporaryDirectory()
        store = try Samples.buildStore("Company", in: directory)
    }
}

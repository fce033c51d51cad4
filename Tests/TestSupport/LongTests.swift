public import Testing

/// Tests that take seconds: `Tests/run --fast` leaves them out, `Tests/run` and `.ci/run` do not.
extension Trait where Self == ConditionTrait {
    public static var long: Self {
        .disabled(if: TestSettings.isFast, "takes seconds; Tests/run without --fast runs it")
    }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function that a failed check calls:
//
//   state = __tessera_trap_state                     image::TrapState
//   if (state.record == null)            trap
//   if (!cas(state.claimed, 0, 1))       exit        another thread reports
//   *state.record = {site, block, thread, a, b}      image::TrapRecord
//   fence.sys;  record->valid = 1;  fence.sys
//   trap
//
// The stores are volatile: the host reads them after the kernel has died.

#include "conversion/mir-to-llvm/trap-function.h"

#include "image/image.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace tessera;
using tessera::image::TrapRecord;
using tessera::image::TrapState;

namespace {

static_assert(offsetof(TrapState, record) == 0 &&
                  offsetof(TrapState, claimed) == 8 && sizeof(TrapState) == 16,
              "the state is {i64, i32, i32}");
static_assert(std::string_view(trapStateName.data(), trapStateName.size()) ==
              image::trapStateSymbol);

/// Address space of global memory (NVPTX User Guide, "Address Spaces").
constexpr unsigned globalSpace = 1;

class TrapFunctionBuilder {
public:
  explicit TrapFunctionBuilder(ModuleOp module)
      : builder(module.getLoc(), module.getBodyRegion()),
        i32(builder.getI32Type()), i64(builder.getI64Type()),
        stateType(LLVM::LLVMStructType::getLiteral(module.getContext(),
                                                   {i64, i32, i32})) {}

  void build() {
    addState();
    LLVM::LLVMFuncOp function = addFunction();
    Block *entry = function.addEntryBlock(builder);
    Block *claim = builder.createBlock(&function.getBody());
    Block *report = builder.createBlock(&function.getBody());
    Block *leave = builder.createBlock(&function.getBody());
    Block *trap = builder.createBlock(&function.getBody());
    Value state = fillEntry(entry, claim, trap);
    fillClaim(claim, state, report, leave);
    fillReport(report, state, entry->getArguments(), trap);

    builder.setInsertionPointToEnd(leave);
    NVVM::Exit::create(builder);
    LLVM::UnreachableOp::create(builder);
    builder.setInsertionPointToEnd(trap);
    LLVM::Trap::create(builder);
    LLVM::UnreachableOp::create(builder);
  }

private:
  void addState() {
    auto state = LLVM::GlobalOp::create(
        builder, stateType, /*isConstant=*/false, LLVM::Linkage::External,
        trapStateName, Attribute(),
        /*alignment=*/8, globalSpace);
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&state.getInitializerRegion());
    Value zero = LLVM::ZeroOp::create(builder, stateType);
    LLVM::ReturnOp::create(builder, zero);
  }

  LLVM::LLVMFuncOp addFunction() {
    auto type = LLVM::LLVMFunctionType::get(
        LLVM::LLVMVoidType::get(builder.getContext()), {i32, i64, i64});
    auto function = LLVM::LLVMFuncOp::create(builder, trapFunctionName, type,
                                             LLVM::Linkage::Internal);
    function.setNoInline(true);
    function.setPassthroughAttr(builder.getStrArrayAttr({"cold", "noreturn"}));
    return function;
  }

  /// Traps when there is no record, else goes on to `claim`.
  Value fillEntry(Block *entry, Block *claim, Block *trap) {
    builder.setInsertionPointToEnd(entry);
    auto pointerType =
        LLVM::LLVMPointerType::get(builder.getContext(), globalSpace);
    Value state =
        LLVM::AddressOfOp::create(builder, pointerType, trapStateName);
    Value record = LLVM::LoadOp::create(builder, i64, state, /*alignment=*/8);
    Value zero = LLVM::ConstantOp::create(builder, i64, 0);
    Value hasRecord =
        LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::ne, record, zero);
    LLVM::CondBrOp::create(builder, hasRecord, claim, trap);
    return state;
  }

  void fillClaim(Block *claim, Value state, Block *report, Block *leave) {
    builder.setInsertionPointToEnd(claim);
    Value claimed = LLVM::GEPOp::create(builder, state.getType(), stateType,
                                        state, ArrayRef<LLVM::GEPArg>{0, 1});
    Value zero = LLVM::ConstantOp::create(builder, i32, 0);
    Value one = LLVM::ConstantOp::create(builder, i32, 1);
    Value exchange = LLVM::AtomicCmpXchgOp::create(
        builder, claimed, zero, one, LLVM::AtomicOrdering::monotonic,
        LLVM::AtomicOrdering::monotonic);
    Value won = LLVM::ExtractValueOp::create(builder, exchange, 1);
    LLVM::CondBrOp::create(builder, won, report, leave);
  }

  void fillReport(Block *report, Value state, ValueRange arguments,
                  Block *trap) {
    builder.setInsertionPointToEnd(report);
    Value address = LLVM::LoadOp::create(builder, i64, state, /*alignment=*/8);
    Value record = LLVM::IntToPtrOp::create(
        builder, LLVM::LLVMPointerType::get(builder.getContext()), address);
    store(record, offsetof(TrapRecord, site), arguments[0]);
    store(record, offsetof(TrapRecord, block) + 0,
          NVVM::BlockIdXOp::create(builder, i32));
    store(record, offsetof(TrapRecord, block) + 4,
          NVVM::BlockIdYOp::create(builder, i32));
    store(record, offsetof(TrapRecord, block) + 8,
          NVVM::BlockIdZOp::create(builder, i32));
    store(record, offsetof(TrapRecord, thread) + 0,
          NVVM::ThreadIdXOp::create(builder, i32));
    store(record, offsetof(TrapRecord, thread) + 4,
          NVVM::ThreadIdYOp::create(builder, i32));
    store(record, offsetof(TrapRecord, thread) + 8,
          NVVM::ThreadIdZOp::create(builder, i32));
    store(record, offsetof(TrapRecord, a), arguments[1]);
    store(record, offsetof(TrapRecord, b), arguments[2]);
    LLVM::FenceOp::create(builder, LLVM::AtomicOrdering::seq_cst);
    store(record, offsetof(TrapRecord, valid),
          LLVM::ConstantOp::create(builder, i32, 1));
    LLVM::FenceOp::create(builder, LLVM::AtomicOrdering::seq_cst);
    LLVM::BrOp::create(builder, ValueRange(), trap);
  }

  void store(Value record, size_t offset, Value value) {
    Value address = LLVM::GEPOp::create(
        builder, record.getType(), builder.getI8Type(), record,
        ArrayRef<LLVM::GEPArg>{static_cast<std::int32_t>(offset)});
    LLVM::StoreOp::create(builder, value, address, /*alignment=*/0,
                          /*isVolatile=*/true);
  }

  ImplicitLocOpBuilder builder;
  Type i32, i64;
  LLVM::LLVMStructType stateType;
};

} // namespace

LogicalResult tessera::addTrapFunction(ModuleOp module) {
  for (StringRef name : {StringRef(trapFunctionName), StringRef(trapStateName)})
    if (Operation *other = module.lookupSymbol(name))
      return other->emitError()
             << "the name '" << name << "' is reserved for failed checks";
  TrapFunctionBuilder(module).build();
  return success();
}
